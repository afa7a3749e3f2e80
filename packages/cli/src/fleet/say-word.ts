import type { JobState, Word } from '@saga-ai/core/fleet/engine';
import type { WordContents } from '@saga-ai/core/fleet/words';
import type { Paths } from '@saga-ai/core/project/paths';
import { environment } from '../environment.ts';
import { mayHaveEngine } from './may-have-engine.ts';
import { findHolder } from './require-not-held.ts';

/**
 * Says something to the machine of the fleet that works on a story or epic. Returns the name of the machine. Returns
 * undefined if no other machine works on it; the command then does its work here.
 */
export async function sayWord<Kind extends Word['kind']>(
  paths: Paths,
  id: string,
  kind: Kind,
  content: WordContents[Kind],
): Promise<string | undefined> {
  const machine = findHolder(paths, id);
  if (machine === undefined || !mayHaveEngine()) return undefined;
  const { openFleet } = await import('./open-fleet.ts');
  await using fleet = await openFleet(paths);
  const by = environment.userName();
  await fleet.engine.news.say(fleet.repository.key, { story: id, kind, content, by });
  return machine;
}

export type StoppedInFleet =
  | { kind: 'withdrawn' }
  | { kind: 'stopped'; machine: string }
  /** The machine was told, and has not stopped yet. */
  | { kind: 'told'; machine: string };

/** How long a machine may take to stop before the command returns. */
const PATIENCE_MS = 60_000;

/** Stops a story or epic that is queued or under way in the fleet. Returns undefined if the fleet does not have it. */
export async function stopInFleet(paths: Paths, id: string): Promise<StoppedInFleet | undefined> {
  if (!mayHaveEngine()) return undefined;
  const { openFleet, readEngineSettings } = await import('./open-fleet.ts');
  if (readEngineSettings(paths).url === null) return undefined;
  await using fleet = await openFleet(paths);
  const { engine, repository } = fleet;
  if (await engine.jobs.withdraw(repository.key, id)) return { kind: 'withdrawn' };
  const find = async (): Promise<JobState | undefined> =>
    (await engine.jobs.list(repository.key)).find((it) => it.id === id && it.state === 'active');
  const { machine } = (await find()) ?? {};
  if (machine === undefined) return undefined;
  const by = environment.userName();
  const content = { reason: `stopped on request (${by})` };
  await engine.news.say(repository.key, { story: id, kind: 'stop', content, by });
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    if (!(await find())) return { kind: 'stopped', machine };
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return { kind: 'told', machine };
}
