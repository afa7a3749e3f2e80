import { parseJournal } from '@saga-ai/types/plan/journal';
import { buildWorkerNote, isWorkerNote } from '@saga-ai/types/plan/worker-notes';
import { findSecrets, maskText } from '@saga-ai/types/words/mask-secrets';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { appendJournal } from './journal.ts';
import { loadStory } from './stories.ts';

/** The story whose journal is written. */
interface Place {
  paths: Paths;
  storyId: string;
  /** The values of its secret variables are masked in the note. */
  env?: Environment;
}

/**
 * Appends a note of a worker to the journal, unless the last entry says the same already: a step that is repeated
 * after a kill leaves one note. A journal that cannot be written never stops the work.
 */
export async function noteInJournal(place: Place, text: string): Promise<void> {
  const { paths, storyId, env = {} } = place;
  const note = buildWorkerNote(maskText(text, findSecrets(env)), new Date().toISOString());
  try {
    const { entries } = parseJournal(loadStory(paths, storyId).journal);
    if (entries.at(-1)?.title !== note.title) await appendJournal(paths, storyId, note);
  } catch {
    // The output file and the record contain the same note. If the disk is the reason, the next step reports it.
  }
}

/** Notes once that the work began, so that the journal exists when a run is told to read it. */
export async function noteBeginning(place: Place, branch: string): Promise<void> {
  const { entries } = parseJournal(loadStory(place.paths, place.storyId).journal);
  if (!entries.some(isWorkerNote)) await noteInJournal(place, `work began on ${branch}`);
}
