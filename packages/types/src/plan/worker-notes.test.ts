import { expect, test } from 'vitest';
import { addToJournal, buildResolution, type JournalEntry, parseJournal } from './journal.ts';
import { buildToldNote, isWorkerNote, readToldCommits } from './worker-notes.ts';

const TIME = '2026-11-15T14:05:00.000Z';
const FROM = 'a1'.repeat(20);
const TO = 'b2'.repeat(20);
const FEEDBACK = { title: 'Rename it', id: '2026-11-15T14:00:00.000Z-0a1b2c3d' };

/** As it comes back from the journal of a story. */
function keep(entry: JournalEntry): JournalEntry | undefined {
  return parseJournal(addToJournal('', entry)).entries[0];
}

test('the commits of a run come back from the journal as they were written', () => {
  const note = buildToldNote(FEEDBACK, { from: FROM, to: TO }, TIME);
  // Journals of earlier versions have the same text.
  expect(note.body).toBe('A run was told of this. Its commits: a1a1a1a1a1a1..b2b2b2b2b2b2');
  expect(keep(note)).toMatchObject(note);
  expect(readToldCommits(note)).toBe('a1a1a1a1a1a1..b2b2b2b2b2b2');
  expect(isWorkerNote(note)).toBe(true);
});

test('a run without a commit has none to read', () => {
  for (const to of [undefined, FROM]) {
    const note = buildToldNote(FEEDBACK, { from: FROM, to }, TIME);
    expect(note.body).toBe('A run was told of this. It made no commit.');
    expect(readToldCommits(note)).toBeUndefined();
    expect(isWorkerNote(note)).toBe(true);
  }
});

test('what somebody else wrote names no commits of a run', () => {
  const others = [
    buildResolution(FEEDBACK, 'Its commits: a1..b2', TIME),
    buildResolution(FEEDBACK, 'I looked. A run was told of this. Its commits: a1..b2', TIME),
    { ...buildToldNote(FEEDBACK, { from: FROM, to: TO }, TIME), kind: 'Note' as const },
  ];
  expect(others.map(readToldCommits)).toEqual([undefined, undefined, undefined]);
});
