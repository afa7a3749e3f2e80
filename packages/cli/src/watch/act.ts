import { describeResume } from '@saga-ai/core/epic/look/describe-resume';
import { messageOf } from '@saga-ai/core/errors';
import { tellStory } from '@saga-ai/core/messages/tell-story';
import { isHeld } from '@saga-ai/core/overview/scan-project';
import { appendJournal } from '@saga-ai/core/plan/journal';
import { loadStory } from '@saga-ai/core/plan/stories';
import type { Paths } from '@saga-ai/core/project/paths';
import { findSession } from '@saga-ai/core/sessions/find-session';
import { stopSession } from '@saga-ai/core/sessions/stop-session';
import { buildResolution, findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import { findRemoteJournal } from '../fleet/remote-journal.ts';
import { sayWord, stopInFleet } from '../fleet/say-word.ts';

/**
 * Stops an item. Like the other functions here, it returns one line that says how the action ended, also after an
 * error.
 */
export function stopItem(paths: Paths, id: string): Promise<string> {
  return say(async () => {
    const elsewhere = isHeld(paths, id) ? await stopInFleet(paths, id) : undefined;
    if (elsewhere?.kind === 'withdrawn') return `${id} was taken out of the queue`;
    if (elsewhere) return `${elsewhere.machine} was told to stop ${id}`;
    const result = await stopSession(findSession(paths, id));
    if (result === 'was-over') return `${id} is not running.`;
    return result === 'stopped'
      ? `${id} stopped; to resume: saga run ${id}`
      : `${id} did not stop and was killed; to clean up and resume: saga run ${id}`;
  });
}

export function answerBlocker(
  paths: Paths,
  id: string,
  title: string,
  answer: string,
): Promise<string> {
  return say(async () => {
    const remote = await findRemoteJournal(paths, id);
    const { journal } = loadStory(paths, id);
    const open = findOpenBlockers(parseJournal(remote?.text ?? journal).entries);
    const blocker = open.find((it) => it.title === title);
    if (!blocker) return `${id} no longer asks this; it was answered in the meantime.`;
    const time = new Date().toISOString();
    const entry = buildResolution(blocker, answer.trim(), time);
    if (remote) await remote.append(entry);
    else await appendJournal(paths, id, entry);
    const left = open.length - 1;
    if (left > 0) return `answered; ${left} more of ${id}`;
    return `answered; ${describeResume(paths, id, remote !== undefined)}`;
  });
}

export function tellRun(paths: Paths, id: string, from: string, text: string): Promise<string> {
  return say(async () => {
    const said = { from, text, interrupts: false };
    const machine = await sayWord(paths, id, 'tell', said);
    return machine !== undefined || tellStory(paths, id, said)
      ? `sent to the run of ${id}; it reads it after its current step`
      : `nobody works on ${id} now; for the next run: saga feedback ${id} "…"`;
  });
}

async function say(act: () => Promise<string>): Promise<string> {
  try {
    return await act();
  } catch (error) {
    return messageOf(error);
  }
}
