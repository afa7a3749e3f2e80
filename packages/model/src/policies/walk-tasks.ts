import { basename, resolve } from 'node:path';
import { JOURNAL_FILE } from '@saga-ai/types/plan/journal';
import type { Rehearsal } from '@saga-ai/types/plan/task';
import type { Conversation } from '../conversation.ts';
import type { Policy, Turn } from '../turn.ts';
import { type ListedTask, parseTaskList, pickTask } from './task-list.ts';
import { hasHints, inventTests, inventWork, planWork, type WorkPlace } from './task-work.ts';
import { LIST_TASKS, workOnTask } from './work-on-task.ts';

export interface WalkOptions {
  /** The rehearsal hints of a task. The client does not show them to a model. Without hints, a small file is written. */
  rehearsals?:
    | Readonly<Record<string, Rehearsal>>
    | ((taskId: string, conversation: Conversation) => Rehearsal | undefined);
  /** The tests of a task that needs tests first. If missing, a small file is written. */
  tests?: (task: ListedTask) => Rehearsal;
  /** The story's journal.md. If missing, the one that the prompt names. */
  journal?: string | ((conversation: Conversation) => string | undefined);
  now?: () => Date;
}

/**
 * Works through the task list as a good agent would, one call per turn. It has no state: each turn follows
 * from the calls since the last prompt, so sessions can be resumed or run in parallel. It ends, because it
 * tries each task once per prompt.
 */
export function walkTasks(options: WalkOptions = {}): Policy {
  return function walkTasks(conversation) {
    const calls = conversation.callsSincePrompt;
    const testsFor = findTestsTask(conversation.prompt);
    if (testsFor) {
      const tests = (options.tests ?? inventTests)(testsFor);
      return writeTests(testsFor, tests, conversation, findPlace(conversation, options));
    }
    const missing = TASK_TOOLS.filter((tool) => !conversation.tools.includes(tool));
    if (missing.length > 0) return findTools(missing, conversation);

    const listedAt = calls.findLastIndex((call) => call.tool === 'TaskList');
    const listed = calls[listedAt]?.result;
    if (!listed) return { text: 'I look at the task list.', calls: [LIST_TASKS] };
    if (listed.isError) return { text: `The task list cannot be read. ${listed.text}` };

    const tasks = parseTaskList(listed.text);
    const only = ONE_TASK.exec(conversation.prompt)?.[1];
    const offered = tasks.filter((task) => only === undefined || task.id === only);
    const tried = calls.slice(0, listedAt).filter((call) => call.tool === 'TaskGet');
    const task = pickTask(offered, new Set(tried.map((call) => call.input.taskId)));
    if (!task) return { text: formatClosing(tasks) };
    const rehearsal = findRehearsal(task, conversation, options);
    return workOnTask(task, rehearsal, calls.slice(listedAt + 1), findPlace(conversation, options));
  };
}

/** The patterns include the heading, because a story's own text may also mention tests or a single task. */
const ONE_TASK = /^## Your task\n.*for one task only: ([a-z0-9-]+)/m;
const TESTS_FIRST = /^## Tests first\nWrite the tests for ([a-z0-9-]+) \((.*)\)/m;

/** A run that must write tests writes them and stops. */
function findTestsTask(prompt: string): ListedTask | undefined {
  const [, id, subject = ''] = TESTS_FIRST.exec(prompt) ?? [];
  return id === undefined ? undefined : { id, subject, status: 'pending', blockedBy: [] };
}

function writeTests(
  task: ListedTask,
  tests: Rehearsal,
  { callsSincePrompt }: Conversation,
  place: WorkPlace,
): Turn {
  const calls = planWork(tests, place);
  const next = calls[callsSincePrompt.length];
  return next ? { calls: [next] } : { text: `The tests for ${task.id} are written.` };
}

const TASK_TOOLS = ['TaskList', 'TaskGet', 'TaskUpdate'] as const;

function findTools(missing: readonly string[], { tools, callsSincePrompt }: Conversation): Turn {
  const searched = callsSincePrompt.some((call) => call.tool === 'ToolSearch');
  if (searched || !tools.includes('ToolSearch')) {
    return { text: `I cannot work without ${missing.join(', ')}.` };
  }
  return { calls: [{ tool: 'ToolSearch', input: { query: `select:${missing.join(',')}` } }] };
}

function findRehearsal(
  task: ListedTask,
  conversation: Conversation,
  { rehearsals = {} }: WalkOptions,
): Rehearsal {
  const known =
    typeof rehearsals === 'function' ? rehearsals(task.id, conversation) : rehearsals[task.id];
  return hasHints(known) ? known : inventWork(task);
}

function findPlace(conversation: Conversation, { journal, now }: WalkOptions): WorkPlace {
  const { cwd, tools, prompt } = conversation;
  const told = typeof journal === 'function' ? journal(conversation) : journal;
  const path = told ?? findJournal(prompt);
  return {
    cwd,
    tools,
    journal: path === undefined || cwd === undefined ? path : resolve(cwd, path),
    time: (now?.() ?? new Date()).toISOString(),
  };
}

function findJournal(prompt: string): string | undefined {
  const words = prompt.split(/[\s`'"(),;:]+|\.(?=\s|$)/);
  return words.find((word) => basename(word) === JOURNAL_FILE);
}

function formatClosing(tasks: readonly ListedTask[]): string {
  if (tasks.length === 0) return 'There are no tasks.';
  const left = tasks.filter((task) => task.status !== 'completed');
  if (left.length === 0) return `All tasks are completed (${tasks.length}).`;
  const names = left.map((task) => task.id).join(', ');
  return `${tasks.length - left.length} of ${tasks.length} tasks are completed; left: ${names}.`;
}
