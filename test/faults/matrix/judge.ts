import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openProcessTable } from '@saga-ai/core/processes/table';
import type { RunEvent } from '@saga-ai/types/run/event';
import { until } from '../../rig/programs/until.ts';
import { requireEvent } from '../../rig/worker/require-event.ts';
import type { TmuxServer } from '../../rig/worker/tmux-server.ts';
import type { Workshop } from '../../rig/worker/workshop.ts';

/** What had been achieved, and told, when the fault came. It must be there at the end. */
export interface Held {
  /** Tasks that were said to be completed. */
  completed: readonly string[];
  /** Hashes with their subjects. */
  commits: readonly string[];
  outputFiles: readonly string[];
  mainStatus: string;
}

export function takeHeld(it: Workshop, story = 'cart'): Held {
  const outputFiles = it.outputFiles();
  return {
    completed: outputFiles.flatMap(readEvents).flatMap(completedBy),
    // What no run committed is committed on this machine only, until the next run decides about it.
    commits: listCommits(it, story).filter((line) => !/^\w+ wip: /.test(line)),
    outputFiles,
    mainStatus: lookAtMain(it),
  };
}

/** Without locks: the disk may be full. */
const lookAtMain = (it: Workshop) =>
  it.git('--no-optional-locks', 'status', '--porcelain', '--untracked-files=all');

function listCommits(it: Workshop, story: string): string[] {
  const branch = it.git('branch', '--list', `story/${story}`).trim();
  if (branch === '') return [];
  return lines(it.git('log', '--format=%H %s', `story/${story}`, '--not', 'main'));
}

const completedBy = (event: RunEvent) =>
  event.type === 'task:status' && event.to === 'completed' ? [event.task] : [];

/** What was lost, or done twice, once the story is finished. */
export async function findHarm(
  it: Workshop,
  held: Held,
  { story = 'cart', rewrites = false } = {},
): Promise<string[]> {
  const statuses = Object.entries(it.pushedStatuses(story));
  const later = it.outputFiles().filter((file) => !held.outputFiles.includes(file));
  const again = later
    .flatMap(readEvents)
    .flatMap((event) =>
      event.type === 'task:status' && held.completed.includes(event.task) ? [event.task] : [],
    );
  const inOrigin = (...args: string[]) => lines(it.git('-C', it.origin, ...args));
  const kept = new Set(inOrigin('log', '--format=%H %s', `story/${story}`));
  // Each with its whole change: two commits that do the same are one commit done twice.
  const mark = '\u0001';
  const log = ['log', '-p', '--no-merges', `--format=${mark}%s`, `story/${story}`, '--not', 'main'];
  const changes = it.git('-C', it.origin, ...log).split(mark);
  const pulls = it.github.pulls.filter(({ head }) => head === `story/${story}`);
  const verified = await it.saga(['verify', story]);
  return [
    ...statuses.filter(([, to]) => to !== 'completed').map(([task]) => `the status of ${task}`),
    ...again.map((task) => `the status of ${task}, which was told to be completed`),
    ...(rewrites ? [] : held.commits.filter((it) => !kept.has(it)).map((it) => `commit ${it}`)),
    ...changes.filter((it, at) => changes.indexOf(it) !== at).map((it) => `twice: commit ${it}`),
    ...(pulls.length === 1 && pulls[0]?.state === 'OPEN' && !pulls[0].isDraft
      ? []
      : [`pull requests: ${JSON.stringify(pulls.map(({ state, isDraft }) => [state, isDraft]))}`]),
    ...(verified.code === 0 ? [] : [`evidence: ${verified.stdout}${verified.stderr}`]),
    ...(lookAtMain(it) === held.mainStatus ? [] : ['the main checkout as it was']),
  ];
}

/** What lies around or runs that is not there after a story that nothing disturbed. */
export async function findLeft(
  it: Workshop,
  tmux: TmuxServer,
  usual: ReadonlySet<string>,
  keeps: readonly RegExp[] = [],
): Promise<string[]> {
  const found = [...listKinds(it)].filter((kind) => !usual.has(kind));
  const uncommitted = lines(it.git('-C', join(it.worktrees, 'cart'), 'status', '--porcelain'));
  const unexpected = [...found, ...uncommitted].filter(
    (kind) => !keeps.some((it) => it.test(kind)),
  );
  return [...unexpected, ...(await waitForProcesses(it)), ...tmux.sessions()];
}

/** Processes of this workshop end a moment after their worker. Those that do not are told. */
export async function waitForProcesses(it: Workshop): Promise<string[]> {
  const table = openProcessTable();
  const running = () =>
    table
      .listCarriers('HOME')
      .filter(({ value }) => value === it.home)
      .flatMap(({ pid }) => table.find(pid)?.name ?? []);
  await until(() => running().length === 0).catch(() => {});
  return running().map((name) => `process ${name}`);
}

/**
 * Every path and ref of the workshop, without numbers. Left out: git's objects, logs and notes of the last command;
 * what the client keeps for itself; what a test puts there.
 */
export function listKinds(it: Workshop): Set<string> {
  const folder = dirname(it.root);
  const refs = it.git('for-each-ref', '--format=%(refname)');
  const paths = walk(folder, '').filter((path) => !OTHERS.some((it) => it.test(path)));
  return new Set([...lines(refs), ...paths].map(withoutNumbers));
}

const OTHERS = [
  /\/(objects|logs|refs|packed-refs|FETCH_HEAD|ORIG_HEAD|COMMIT_EDITMSG|gc\.pid)(\/|$)/,
  /^home\/\.(claude|cache|npm)/,
  /^temp\/(claude|cc-|node-compile-cache)/,
  /^bin\//,
  // The index of `saga list` and its like, which git ignores.
  /^project\/\.saga\/cache\/[\w-]+\.json$/,
  // The work itself. What of it is not committed is asked of git.
  /^project\.stories\/\w+\/(?!\.saga|\.git)/,
  /^sessions\/.*\.jsonl$/,
];

const withoutNumbers = (path: string) =>
  path
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replace(/[0-9a-f]{40}/g, '<hash>')
    .replace(/\d{3,}/g, '<n>');

function walk(root: string, below: string): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (!entry.isDirectory()) return [path];
    return OTHERS.some((it) => it.test(`${path}/`)) ? [] : [`${path}/`, ...walk(root, path)];
  });
}

function readEvents(file: string): RunEvent[] {
  // The last line of a killed worker may not be whole.
  return readFileSync(file, 'utf8').split('\n').slice(0, -1).map(requireEvent);
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');
