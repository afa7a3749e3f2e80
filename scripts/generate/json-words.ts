import type { Origin } from '../../packages/core/src/plan/config.ts';
import type { SessionState } from '../../packages/core/src/records/session-records.ts';
import type { Stopped } from '../../packages/core/src/sessions/stop-session.ts';
import { JOURNAL_KINDS } from '../../packages/types/src/plan/journal.ts';
import { TASK_STATUSES } from '../../packages/types/src/plan/status.ts';
import { OUTCOMES } from '../../packages/types/src/run/session-record.ts';
import { TASK_STATES } from '../../packages/types/src/screens/story-state.ts';

/** Each is a key of an object, so that a word that is new or gone does not compile. */
const wordsOf = <Word extends string>(words: Record<Word, true>) => Object.keys(words);

/** The words a string may be, by command and key; a star stands for every other command. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  '* status': TASK_STATUSES,
  'journal kind': JOURNAL_KINDS,
  'resolve kind': JOURNAL_KINDS,
  'show kind': JOURNAL_KINDS,
  'blockers kind': ['Blocker'],
  'tree kind': ['epic', 'story', 'task'],
  'search kind': ['epic', 'story', 'task', 'journal'],
  'task state': TASK_STATES,
  'task act': ['add', 'rm'],
  'worker outcome': OUTCOMES,
  'sessions state': wordsOf<SessionState>({ running: true, ended: true, died: true }),
  'stop result': wordsOf<Stopped>({ stopped: true, killed: true, 'was-over': true }),
  'config origin': wordsOf<Origin>({ flag: true, environment: true, file: true, default: true }),
  'completions shell': ['bash', 'zsh', 'fish'],
};

export function findWords(command: string, key: string): readonly string[] | undefined {
  const [first = ''] = command.split(' ');
  return WORDS[`${first} ${key}`] ?? WORDS[`* ${key}`];
}

/** What a list holds that is empty in the sample. */
const ITEMS: Readonly<Record<string, string>> = {
  problems: 'Problem',
  created: 'string',
  notes: 'string',
  labels: 'string',
  waitsFor: 'string',
  blockedBy: 'string',
};

export function findItems(key: string): string {
  const items = ITEMS[key];
  if (items === undefined) throw new Error(`"${key}" is empty in the sample: say what it holds`);
  return items;
}
