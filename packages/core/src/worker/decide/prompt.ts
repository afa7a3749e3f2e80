import type { Epic } from '@saga-ai/types/plan/epic';
import { JOURNAL_KINDS, type JournalEntry } from '@saga-ai/types/plan/journal';
import { followUpsPath } from '@saga-ai/types/plan/plan-paths';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import type { Answer } from '@saga-ai/types/plan/worker-notes';
import { count } from '@saga-ai/types/words/amounts';
import type { AgentWords } from '../../agents/agent.ts';
import type { Focus } from './focus.ts';
import { WORKER_PROMPT } from './worker-prompt.ts';

export interface PromptRequest {
  words: AgentWords;
  story: Story;
  /** The path of the journal, relative to the worktree. */
  journalPath: string;
  /** The epic that the story is a part of. */
  epic?: Pick<Epic, 'title' | 'description'>;
  /** The command that the gate will run. */
  verify: string | null;
  /** Globs of files that no story may change. */
  protectedFiles: readonly string[];
  /** All tasks say that they need not change any file. */
  mayChangeNothing: boolean;
  /** Feedback that no run was told yet. */
  feedback: readonly JournalEntry[];
  /** A person's answers to questions of earlier runs. */
  answers: readonly Answer[];
  /** Files an earlier run changed and did not commit. */
  leftovers: readonly string[];
  /** Commits of earlier runs on this branch, newest first: short name and subject. */
  commits: readonly string[];
  /** Tasks that earlier runs left unfinished. */
  attempts: readonly Pick<Task, 'id' | 'attempts' | 'lastOutcome'>[];
  /** Refs of work that earlier runs left beside the branch, each with what it is. */
  left: readonly string[];
  /** The failed checks of the gate, in words. */
  gateFailures: readonly string[];
  /** What a run in the sandbox can write, in words. Undefined if there is no sandbox. */
  walls: string | undefined;
  /** What a run in the sandbox can reach, in a sentence. Undefined if there is no sandbox. */
  network: string | undefined;
  /** Files of the plan that an earlier run changed and that were put back. */
  restored: readonly string[];
  /** Says in words that a person moved the branch during the run before this one. */
  moved?: string;
  /** Why the run before this one was ended without a sign of life, in words. */
  stalled?: string;
  /** Why the tests of the last run for this task do not count. */
  testsRefused?: string;
  /** Tasks of the list that the run must leave alone: id and subject. */
  notYours?: readonly string[];
  /** The one task of this run; undefined if the run works through the whole list. */
  focus?: Focus;
  /** Globs of the files that a run in the role `tests` may write. */
  testFiles?: readonly string[];
  /** The run goes on with a conversation: it is told only what is new. */
  isContinued?: boolean;
  /** Globs of what the one task of this run may change. */
  taskWrites?: readonly string[];
  /** The tasks that are not completed: id and subject. */
  openTasks?: readonly string[];
}

/** The sections of the template that may be new to a conversation that goes on. */
const NEWS = [
  'Answers to earlier questions',
  'Left by an earlier run',
  'Done by a person',
  'Feedback',
  'Kept beside the branch',
  'What the checks found',
  'Put back',
];

const CONTINUED = `You go on with the story "{{title}}" ({{id}}). You stopped, and your work was looked at. This is what is new.`;

const OPEN_TASKS = `## Not completed yet
{{openTasks}}`;

const CLOSING = `## How to go on
Everything you were told at the beginning still holds. Look at {{listTasks}}, do what is left, commit it, and stop when every task is completed. The journal is {{journal}}.`;

/** Builds a template for a conversation that goes on. It has only the sections that may be new. */
function templateOfNews(): string {
  const sections = WORKER_PROMPT.trimEnd().split(/\n\n(?=## )/);
  const news = sections.filter((it) => NEWS.some((name) => it.startsWith(`## ${name}\n`)));
  return [CONTINUED, ...news, OPEN_TASKS, CLOSING].join('\n\n');
}

/** Builds the prompt of a headless run from the template. Leaves out sections without content. */
export function buildPrompt({ story, journalPath, words, ...request }: PromptRequest): string {
  const { focus, testFiles = [] } = request;
  const task = focus && `${focus.taskId} (${oneLine(focus.subject)})`;
  const isForTests = focus?.role === 'tests';
  return fill(request.isContinued ? templateOfNews() : WORKER_PROMPT, {
    title: oneLine(story.title),
    id: story.id,
    description: story.description,
    guidance: story.guidance,
    doneWhen: story.doneWhen,
    avoid: story.avoid,
    epicTitle: request.epic && oneLine(request.epic.title),
    epicGoal: request.epic?.description,
    checks: formatChecks(story, request),
    feedback: formatEntries(request.feedback),
    answers: request.answers.map(formatAnswer).join('\n'),
    leftovers: formatFiles(request.leftovers),
    commits: formatFiles(request.commits),
    attempts: request.attempts.map(formatAttempts).join('\n'),
    left: formatFiles(request.left),
    gateFailures: request.gateFailures.map((it) => `- ${it.replace(/\n/g, '\n  ')}`).join('\n'),
    restored: formatFiles(request.restored),
    moved: request.moved && oneLine(request.moved),
    stalled: request.stalled && oneLine(request.stalled),
    testsRefused: request.testsRefused,
    notYours: formatFiles(request.notYours ?? []),
    walls: request.walls,
    network: request.network,
    task: isForTests ? undefined : task,
    testsFor: isForTests ? task : undefined,
    testFiles: isForTests ? testFiles.join(', ') : undefined,
    journal: journalPath,
    followUps: followUpsPath(story.id),
    openTasks: formatFiles(request.openTasks ?? []),
    kinds: KINDS_OF_RUNS.join(', '),
    ...words,
  });
}

/**
 * Fills the placeholders of a template. Drops a section if all its placeholders are empty.
 * Placeholders inside a filled-in text are not replaced.
 */
function fill(template: string, values: Readonly<Record<string, string | undefined>>): string {
  const sections = template.trimEnd().split(/\n\n(?=## )/);
  const filled = sections.flatMap((section) => {
    const gaps = [...section.matchAll(GAP)].map(([, name = '']) => values[name]?.trim() ?? '');
    if (gaps.length > 0 && gaps.every((it) => it === '')) return [];
    return section.replace(GAP, (_, name: string) => values[name]?.trim() ?? '');
  });
  return `${filled.join('\n\n')}\n`;
}

const GAP = /\{\{(\w+)\}\}/g;

/** Formats what the gate will check, for the prompt. */
function formatChecks(
  { writeFiles = [] }: Story,
  {
    verify,
    protectedFiles,
    mayChangeNothing,
    taskWrites = [],
  }: Pick<PromptRequest, 'verify' | 'protectedFiles' | 'mayChangeNothing' | 'taskWrites'>,
): string {
  return [
    ...(verify === null
      ? []
      : [
          `- This command exits with 0 in a checkout that holds only what is committed, and leaves no new file that git does not ignore. Run it before you complete the last task:\n${indent(verify)}`,
        ]),
    ...(writeFiles.length === 0
      ? []
      : [`- Only files that match these patterns are changed: ${writeFiles.join(', ')}`]),
    ...(taskWrites.length === 0
      ? []
      : [`- This run, for its one task, changes only files that match: ${taskWrites.join(', ')}`]),
    ...(protectedFiles.length === 0
      ? []
      : [`- No file that matches these patterns is changed: ${protectedFiles.join(', ')}`]),
    mayChangeNothing
      ? '- Every change is committed.'
      : '- Every change is committed, and something outside .saga was changed.',
  ].join('\n');
}

/** Only people and workers write the other kinds. */
const KINDS_OF_RUNS = JOURNAL_KINDS.filter((kind) => kind !== 'Resolution' && kind !== 'Feedback');

function formatEntries(entries: readonly JournalEntry[]): string {
  return entries
    .map(({ title, body }) => `- ${oneLine(title)}${body === '' ? '' : `\n${indent(body)}`}`)
    .join('\n');
}

/** An answer that no run was told yet comes with the whole question: it may be all that this run has to do. */
function formatAnswer({ resolution, question, isTold }: Answer): string {
  const asked = isTold || !question?.body ? '' : `\n${indent(question.body.replace(/^/gm, '> '))}`;
  const mark = isTold ? '' : ' (new)';
  return `- ${oneLine(resolution.title)}${mark}${asked}\n${indent(resolution.body)}`.trimEnd();
}

function formatAttempts({ id, attempts = 0, lastOutcome }: PromptRequest['attempts'][number]) {
  const last = lastOutcome === undefined ? '' : `, the last one: ${lastOutcome.replace('_', ' ')}`;
  return `- ${id}: ${count(attempts, 'attempt')}${last}`;
}

const SHOWN_FILES = 40;

function formatFiles(files: readonly string[]): string {
  const shown = files.slice(0, SHOWN_FILES).map((it) => `- ${oneLine(it)}`);
  const more = files.length - shown.length;
  return [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
const indent = (text: string) => text.replace(/^/gm, '  ');
