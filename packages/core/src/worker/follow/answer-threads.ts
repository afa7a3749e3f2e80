import { pairResolutions, parseJournal, type ReadEntry } from '@saga-ai/types/plan/journal';
import { readToldCommits } from '@saga-ai/types/plan/worker-notes';
import { messageOf } from '../../errors.ts';
import type { ForgePull } from '../../forge/forge.ts';
import type { Reviewed, Thread } from '../../forge/reviewed.ts';
import { loadStory } from '../../plan/stories.ts';
import type { Worker } from '../context.ts';
import { formatMark } from './find-work.ts';
import { keyOf } from './quote-work.ts';

/**
 * Answers every thread that a run worked on, with its commits. Skips a thread that has the answer already, so that this
 * may be called again. Returns whether all are answered.
 */
export async function answerThreads(
  worker: Worker,
  place: ForgePull,
  pull: Reviewed,
): Promise<boolean> {
  const { paths, storyId, emit, config } = worker;
  const { entries } = parseJournal(loadStory(paths, storyId).journal);
  let isDone = true;
  for (const { entry, resolution } of listWorked(entries)) {
    const key = keyOf(entry);
    const [, id = ''] = /^thread:(.+)@/.exec(key ?? '') ?? [];
    const thread = pull.threads.find((it) => it.id === id);
    if (key === undefined || !thread || isAnswered(pull, thread, key)) continue;
    const commits = readToldCommits(resolution);
    const isResolved = config.pullRequest.resolveThreads && commits !== undefined;
    const said =
      commits === undefined
        ? 'A run looked at this and made no commit.'
        : `A run worked on this: ${commits}.`;
    try {
      // The answer is the last step: a thread without it is done again, and one that a person reopens is not.
      if (isResolved) await place.resolve(id);
      await place.answer(id, `${said}\n\n${formatMark(key)}`);
      emit('follow:answered', { title: entry.title, thread: id, isResolved });
    } catch (error) {
      isDone = false;
      emit('follow:not-answered', { title: entry.title, thread: id, reason: messageOf(error) });
    }
  }
  return isDone;
}

/** Lists the feedback from GitHub that a run was told, each with the worker's note about it. */
function listWorked(entries: readonly ReadEntry[]) {
  return [...pairResolutions(entries)]
    .filter(([entry]) => entry.kind === 'Feedback' && keyOf(entry) !== undefined)
    .map(([entry, resolution]) => ({ entry, resolution }));
}

function isAnswered({ viewer }: Reviewed, { comments }: Thread, key: string): boolean {
  return comments.some(({ author, body }) => author === viewer && body.includes(formatMark(key)));
}
