import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../programs/until.ts';
import type { Fleet, TestAgent } from './fleet.ts';
import { createWorkshop, type Workshop } from './workshop.ts';

/** A story whose last task goes on until the test opens a gate for it. */
export async function createGated(config?: object): Promise<Workshop & { open(): void }> {
  const rehearsals = { two: { run: ['while [ ! -e "$HOME/../open" ]; do sleep 0.1; done'] } };
  const it = await createWorkshop({ rehearsals });
  it.story('cart', {}, { one: {}, two: {} });
  if (config) it.write('.saga/config.json', config);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q', 'origin', 'main');
  return { ...it, open: () => writeFileSync(join(dirname(it.home), 'open'), '') };
}

/** Waits until the run of a machine has come to the gate. */
export async function atGate(agent: TestAgent): Promise<void> {
  await until(() => {
    if (agent.process.exitCode !== null) throw new Error(`${agent.name} ended: ${agent.said()}`);
    return logOf(agent).includes('while [ ! -e');
  });
}

/** All output files of a machine, in order. */
export function logOf({ data }: TestAgent): string {
  const folder = join(data, 'saga-sessions');
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    return files
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  } catch {
    // The session has not begun.
    return '';
  }
}

/** The newest commit of the story on the remote. */
export const tipOf = (it: Workshop) =>
  it.git('ls-remote', 'origin', 'refs/heads/story/cart').split('\t')[0];

/** Hands a story over, as a person does. */
export async function handOver(it: Workshop, fleet: Fleet, id = 'cart'): Promise<void> {
  const { code, stderr } = await it.saga(['run', id, '--engine'], { env: fleet.env });
  if (code !== 0) throw new Error(`saga run ${id} --engine ended with ${code}: ${stderr}`);
}
