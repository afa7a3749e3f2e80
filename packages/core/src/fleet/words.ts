import { buildFeedback, formatJournalEntry, type JournalEntry } from '@saga-ai/types/plan/journal';
import type { EpicControl } from '@saga-ai/types/run/epic-control';
import { saveControl } from '../epic/control.ts';
import { openOwnJournal } from '../messages/tell-conflict.ts';
import type { StoryJournal } from '../messages/tell-refused-merge.ts';
import { tellStory } from '../messages/tell-story.ts';
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

/**
 * Carries out a word as the command would have done on this machine. Workers of an agent share its process, so `stop`
 * is not carried out here: its reason is returned, and the caller stops the worker. A word whose content is broken does
 * nothing.
 */
export async function applyWord(
  paths: Paths,
  word: Word,
  journal: StoryJournal = openOwnJournal(paths, word.story),
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
async function appendOnce(journal: StoryJournal, entry: JournalEntry): Promise<void> {
  if (!(await journal.read()).includes(formatJournalEntry(entry))) await journal.append(entry);
}

function readEntry(found: unknown, kind: 'resolve' | 'feedback'): JournalEntry | undefined {
  const { title, body, time, resolves } = (found ?? {}) as Record<string, unknown>;
  if (typeof title !== 'string' || typeof body !== 'string' || typeof time !== 'string') {
    return undefined;
  }
  if (kind === 'feedback') return { kind: 'Feedback', title, body, time };
  const named = typeof resolves === 'string' && /^\S+$/.test(resolves) ? resolves : undefined;
  return { kind: 'Resolution', title, body, time, resolves: named };
}
