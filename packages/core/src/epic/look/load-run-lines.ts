import { statSync } from 'node:fs';
import { EPIC_EVENTS } from '@saga-ai/types/run/epic-events';
import { deriveRunState, describeRun } from '@saga-ai/types/screens/epic-run/describe-run';
import type { Overview } from '@saga-ai/types/screens/overview';
import { loadConfigOrDefaults } from '../../plan/config.ts';
import type { Paths } from '../../project/paths.ts';
import { NotedEvents } from '../../records/noted-events.ts';
import { loadEpicRecords, stateOfSession } from '../../records/session-records.ts';
import { loadControl } from '../control.ts';
import { layOut } from '../layout.ts';
import { recallRun } from './recall-run.ts';

/** Describes the newest run of each epic that is not done, in one line, by the epic's id. */
export async function loadRunLines(
  paths: Paths,
  { stories, epics }: Pick<Overview, 'stories' | 'epics'>,
  now: number,
): Promise<Map<string, string>> {
  const lines = new Map<string, string>();
  const records = loadEpicRecords(paths);
  const children = new Map(epics.map((it) => [it.id, it]));
  for (const { id, state } of epics) {
    const record = records.get(id);
    if (!record || state === 'done') continue;
    const { outputFile, startedAt, endedAt, reason = null } = record;
    const session = stateOfSession(record);
    const isAlive = session === 'running';
    const events = new NotedEvents(Object.keys(EPIC_EVENTS) as (keyof typeof EPIC_EVENTS)[]);
    const size = statSync(outputFile, { throwIfNoEntry: false })?.size ?? null;
    const recalled = recallRun(await events.read(outputFile, size), isAlive);
    const control = loadControl(paths, id);
    const inside = new Set(layOut(id, children).map((it) => it.id));
    const ours = stories.filter((it) => inside.has(it.id));
    const working = ours.filter((it) => it.running).map((it) => it.id);
    const needy = ours.filter((it) => it.state === 'needs you').map((it) => it.id);
    const open = new Set(ours.filter((it) => it.state !== 'done').map((it) => it.id));
    const foretold = recalled.foretold.filter((it) => it.stories.every((one) => open.has(one)));
    const isAtWork = working.length > 0 || recalled.merging !== undefined;
    const jobs =
      (isAlive ? control.jobs : undefined) ??
      recalled.jobs.at(-1)?.jobs ??
      loadConfigOrDefaults(paths).epic.jobs;
    const line = describeRun({
      state: deriveRunState({ session, isPaused: control.isPaused, isAtWork, needy }),
      jobs,
      elapsedMs: (endedAt === undefined ? now : Date.parse(endedAt)) - Date.parse(startedAt),
      ...{ working, needy, reason, foretold },
    });
    lines.set(id, line);
  }
  return lines;
}
