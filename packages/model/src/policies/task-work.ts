import { dirname, resolve } from 'node:path';
import { quote } from '@saga-ai/core/project/quote';
import { formatJournalEntry, formatTitle, type JournalEntry } from '@saga-ai/types/plan/journal';
import type { Rehearsal } from '@saga-ai/types/plan/task';
import type { ToolCall } from '../turn.ts';

/** The folder and the tools of the work, as read from the conversation. */
export interface WorkPlace {
  cwd: string | undefined;
  journal: string | undefined;
  tools: readonly string[];
  time: string;
}

const HINTS = ['write', 'run', 'commit', 'journal', 'blocker'] as const;

export function hasHints(rehearsal: Rehearsal | undefined): rehearsal is Rehearsal {
  return rehearsal !== undefined && HINTS.some((hint) => rehearsal[hint] !== undefined);
}

/** Work for a task without rehearsal hints: a small file. */
export function inventWork(task: { id: string; subject: string }): Rehearsal {
  return {
    write: { [`rehearsed/${task.id}.md`]: `# ${task.subject}\n` },
    commit: `${task.id}: ${task.subject}`,
  };
}

/** Tests for a task: a small file that looks like a test. */
export function inventTests(task: { id: string; subject: string }): Rehearsal {
  return {
    write: { [`test/${task.id}.test.md`]: `# ${task.subject}: it fails\n` },
    commit: `${task.id}: tests`,
  };
}

/** Returns the calls that do the work. The commit comes last, so that it contains the journal entry, too. */
export function planWork(rehearsal: Rehearsal, place: WorkPlace): ToolCall[] {
  const { write = {}, run = [], journal, commit } = rehearsal;
  const writes = Object.entries(write).map(([path, content]) => writeFile(path, content, place));
  const commands = [...run];
  if (journal && place.journal !== undefined) {
    const entry = { ...journal, body: journal.body ?? '', time: place.time };
    commands.push(appendEntry(entry, place.journal));
  }
  if (commit !== undefined) commands.push(commitAll(commit));
  return [...writes, ...commands.map((command) => bash(command))];
}

export const RESOLVED = 'The blocker is resolved.';

/** Writes the blocker into the journal unless it is there, and prints whether a person has resolved it. */
export function openBlocker(
  blocker: NonNullable<Rehearsal['blocker']>,
  journal: string,
  time: string,
): ToolCall {
  const has = (kind: string) =>
    `sed -E 's/^## ([0-9][^ ]* )?//' ${quote(journal)} 2>/dev/null | grep -qxF ${quote(`${kind}: ${formatTitle(blocker.title)}`)}`;
  const entry: JournalEntry = {
    kind: 'Blocker',
    title: blocker.title,
    body: blocker.body ?? '',
    time,
  };
  return bash(
    [
      `if ${has('Resolution')}; then echo ${quote(RESOLVED)}`,
      `elif ${has('Blocker')}; then echo 'The blocker is still open.'`,
      `else ${appendEntry(entry, journal)} && echo 'The blocker is open.'; fi`,
    ].join('; '),
  );
}

function writeFile(path: string, content: string, { cwd, tools }: WorkPlace): ToolCall {
  const file = cwd === undefined ? path : resolve(cwd, path);
  if (tools.includes('Write')) return { tool: 'Write', input: { file_path: file, content } };
  return bash(`mkdir -p ${quote(dirname(file))} && printf %s ${quote(content)} > ${quote(file)}`);
}

function appendEntry(entry: JournalEntry, journal: string): string {
  return `printf '\\n%s' ${quote(formatJournalEntry(entry))} >> ${quote(journal)}`;
}

/** Commits all changes. If there is nothing to commit, the command succeeds, too. */
function commitAll(message: string): string {
  return `git add -A && { git diff --cached --quiet || git commit -m ${quote(message)}; }`;
}

function bash(command: string): ToolCall {
  return { tool: 'Bash', input: { command } };
}
