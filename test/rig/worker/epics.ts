import { readFileSync } from 'node:fs';
import { type Policy, walkTasks } from '@saga-ai/model';
import type { Rehearsal } from '@saga-ai/types/plan/task';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import type { Overview } from '@saga-ai/types/screens/overview';
import { requireEvent } from './require-event.ts';
import { createWorkshop, type Workshop } from './workshop.ts';

/** What `createEpics` builds. */
export interface EpicPlan {
  epics: Record<string, Record<string, string[]>>;
  config?: object;
  /** The tasks of stories. A story that is missing here has one task with the name of the story. */
  tasks?: Record<string, Record<string, object>>;
  rehearsals?: Record<string, Rehearsal>;
  /** The command of a run that is told that its story does not merge. */
  mend?: string;
}

/** Epics with stories of one task each, named like the story; committed and pushed. */
export async function createEpics(plan: EpicPlan): Promise<Workshop> {
  const { epics, config, tasks = {}, rehearsals = {}, mend = '' } = plan;
  const walk = walkTasks({ rehearsals });
  const policy: Policy = (conversation) => {
    if (!conversation.prompt.includes('Does not merge into')) return walk(conversation);
    return conversation.callsSincePrompt.length > 0
      ? { text: 'Mended.' }
      : { calls: [{ tool: 'Bash', input: { command: mend } }] };
  };
  const it = await createWorkshop({ model: { policy } });
  for (const [epic, children] of Object.entries(epics)) {
    it.epic(epic, children);
    for (const id of Object.keys(children)) {
      if (!(id in epics)) it.story(id, { epic }, tasks[id] ?? { [id]: {} });
    }
  }
  if (config) it.write('.saga/config.json', config);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q', 'origin', 'main');
  return it;
}

/** The states of all stories and epics, by id. */
export async function look(it: Workshop) {
  const { stories, epics } = JSON.parse((await it.saga(['status', '--json'])).stdout) as Overview;
  return {
    states: Object.fromEntries(stories.map(({ id, state }) => [id, state])),
    epics: Object.fromEntries(epics.map(({ id, state }) => [id, state])),
  };
}

/** The events of all schedulers of an epic, oldest first. */
export function readEvents(it: Workshop, epic = 'shop'): RunEvent[] {
  const files = it.outputFiles().filter((file) => file.includes(`saga-epic-${epic}-`));
  return files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line.endsWith('}')).map(requireEvent);
  });
}

export function pick<T extends EventType>(events: readonly RunEvent[], type: T): RunEvent<T>[] {
  return events.filter((it): it is RunEvent<T> => it.type === type);
}

/** The events of the newest session of a story. */
export function readStoryEvents(it: Workshop, story: string): RunEvent[] {
  const file = it.outputFiles().findLast((name) => name.includes(`saga-story-${story}-`));
  if (file === undefined) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.endsWith('}')).map(requireEvent);
}
