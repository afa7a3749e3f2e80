import { buildFeedback, formatJournalEntry, type JournalEntry } from '@saga-ai/types/plan/journal';
import type { EpicControl } from '@saga-ai/types/run/epic-control';
import { saveControl } from '../epic/control.ts';
import { tellStory } from '../messages/tell-story.ts';
import { appendJournal } from '../plan/journal.ts';
import { loadStory } from '../plan/stories.ts';
import type { Paths } from '../project/paths.ts';
import type { Word } from './engine.ts';

/** What each kind of word contains. */
export interface WordContents {
  stop: { reason: string };
  tell: { from: string; text: string; interrupts: boolean };
  resolve: { entry: JournalEntry };
  feedback: { entry: JournalEntry };
  control: Partial<EpicControl>;
}

/** The journal that the next run of a story reads. */
export interface WordJournal {
  read(): Promise<string>;
  append(entry: JournalEntry): Promise<void>;
}

const openOwnJournal = (paths: Paths, story: string): WordJournal => ({
  read: async () => loadStory(paths, story).journal,
  append: async (entry) => void (await appendJournal(paths, story, entry)),
});

/**
 * Carries out a word as the command would have done on this machine. Workers of an agent share its process, so `stop`
 * is not carried out here: its reason is returned, and the caller stops the worker. A word whose content is broken does
 * nothing.
 */
export async function applyWord(
  paths: Paths,
  word: Word,
  journal: WordJournal = openOwnJournal(paths, word.story),
): Promise<string | undefined> {
  const { story, kind, by, at } = word;
  const content = (word.content ?? {}) as Record<string, unknown>;
  if (kind === 'stop') {
    return typeof content.reason === 'string' ? content.reason : `stopped on request (${by})`;
  }
  if (kind === 'control') {
    const { isPaused, jobs } = content;
    const changes: Partial<EpicControl> = {
      isPaused: typeof isPaused === 'boolean' ? isPaused : undefined,
      jobs: typeof jobs === 'number' && Number.isInteger(jobs) && jobs >= 1 ? jobs : undefined,
    };
    saveControl(paths, story, changes);
    return undefined;
  }
  if (kind === 'tell') {
    const { from, text, interrupts } = content;
    if (typeof text !== 'string') return undefined;
    const said = { from: String(from ?? by), text, interrupts: interrupts === true };
    // The worker may have ended meanwhile: then the next run is told.
    const told = tellStory(paths, story, { ...said, id: `word-${word.id}` });
    if (!told) await appendOnce(journal, buildFeedback(text, at));
    return undefined;
  }
  const entry = readEntry(content.entry, kind);
  if (entry) await appendOnce(journal, entry);
  return undefined;
}

/** A word may be heard twice, if a machine died before it could say that it was carried out. */
async function appendOnce(journal: WordJournal, entry: JournalEntry): Promise<void> {
  if (!(await journal.read()).includes(formatJournalEntry(entry))) await journal.append(entry);
}

function readEntry(found: unknown, kind: 'resolve' | 'feedback'): JournalEntry | undefined {
  const { title, body, time } = (found ?? {}) as Record<string, unknown>;
  if (typeof title !== 'string' || typeof body !== 'string' || typeof time !== 'string') {
    return undefined;
  }
  return { kind: kind === 'resolve' ? 'Resolution' : 'Feedback', title, body, time };
}
