import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Overview } from '@saga-ai/types/screens/overview';
import { expect, test } from 'vitest';
import { SAGA } from '../../rig/programs/run-program.ts';
import { until } from '../../rig/programs/until.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

/** More than a diamond has events. */
const MOST_KILLS = 80;

test('a scheduler that is killed at each of its events goes on: each story is merged once, with one pull request', {
  timeout: 1_200_000,
}, async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  const env = { ...it.environment, ...tmux.environment };
  const children = { base: [], left: ['base'], right: ['base'], top: ['left', 'right'] };
  for (const id of Object.keys(children)) it.story(id, { epic: 'shop' }, { [id]: {} });
  it.epic('shop', children);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q', 'origin', 'main');

  const seen: string[] = [];
  let code: number | null = null;
  for (let kill = 0; code === null && kill < MOST_KILLS; kill++) {
    const output = join(it.root, `../scheduler-${kill}.jsonl`);
    const args = [SAGA, 'worker', 'shop', '--output-file', output];
    const child = spawn(process.execPath, args, { cwd: it.root, env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    // The first event that no earlier scheduler was killed at; then its successor begins with what is there.
    await until(
      () => child.exitCode !== null || readTypes(output).some((type) => !seen.includes(type)),
    );
    const next = readTypes(output).find((type) => !seen.includes(type));
    if (next !== undefined && next !== 'worker:end') {
      seen.push(next);
      child.kill('SIGKILL');
    }
    const [exit] = await ended;
    if (exit !== null) code = Number(exit);
  }
  expect(code).toBe(0);
  expect(seen).toEqual(
    expect.arrayContaining(['epic:branch', 'epic:merge base', 'epic:merged top']),
  );

  const { stories } = JSON.parse((await it.saga(['status', '--json'], { env })).stdout) as Overview;
  expect(stories.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'base done',
    'left done',
    'right done',
    'top done',
  ]);
  const merges = it.git('log', '--merges', '--format=%s', 'epic/shop').trim().split('\n');
  expect(merges.toSorted()).toEqual(
    ['base', 'left', 'right', 'top'].map((id) => `Merge story/${id} into epic/shop`),
  );
  const heads = it.github.pulls.map(({ head }) => head).toSorted();
  expect(heads).toEqual(['epic/shop', 'story/base', 'story/left', 'story/right', 'story/top']);
});

/** An event with what it is about, so that each kind is met for each story. */
function readTypes(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines
      .filter((line) => line.endsWith('}'))
      .map((line) => {
        const { type, story } = JSON.parse(line) as { type: string; story?: string };
        return type.startsWith('epic:') && story !== undefined ? `${type} ${story}` : type;
      });
  } catch {
    // The file does not exist yet.
    return [];
  }
}
