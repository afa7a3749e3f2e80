import { SagaError } from '../errors.ts';
import { type Environment, type ProgramResult, runProgram } from './run.ts';

export interface WorktreeEntry {
  path: string;
  /** Short name; nothing while its HEAD is detached. */
  branch?: string;
  /** Its folder is gone. */
  prunable: boolean;
}

/** git in one folder. Every verb throws `git-failed` with git's own words, but `attempt`. */
export interface Git {
  readonly folder: string;
  run(args: readonly string[], options?: { timeoutMs?: number }): Promise<string>;
  attempt(args: readonly string[], options?: { timeoutMs?: number }): Promise<ProgramResult>;
  /** The commit a name stands for, if there is one. */
  resolve(name: string): Promise<string | undefined>;
  /** Paths from NUL-separated output. */
  paths(args: readonly string[]): Promise<string[]>;
}

const LOCAL_MS = 120_000;
export const NETWORK_MS = 60_000;

/** Variables that would point git somewhere else, as a hook of an outer git leaves them. */
const STRAY = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
];

export function withoutStrayGit(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([key]) => !STRAY.includes(key)));
}

export function openGit(folder: string, env: Environment): Git {
  const unattended = {
    ...withoutStrayGit(env),
    // Nobody is there to answer, and messages are read by us.
    GIT_TERMINAL_PROMPT: '0',
    GIT_SSH_COMMAND: env.GIT_SSH_COMMAND ?? 'ssh -oBatchMode=yes',
    GIT_EDITOR: 'true',
    GIT_MERGE_AUTOEDIT: 'no',
    LC_ALL: 'C.UTF-8',
  };
  const attempt: Git['attempt'] = (args, { timeoutMs = LOCAL_MS } = {}) =>
    runProgram('git', args, { cwd: folder, env: unattended, timeoutMs });
  const run: Git['run'] = async (args, options) => {
    const result = await attempt(args, options);
    if (result.code === 0) return result.stdout.replace(/\n$/, '');
    throw gitFailed(folder, args, result);
  };
  return {
    folder,
    attempt,
    run,
    async resolve(name) {
      const { code, stdout } = await attempt(['rev-parse', '--verify', '-q', `${name}^{commit}`]);
      return code === 0 ? stdout.trim() : undefined;
    },
    async paths(args) {
      return (await run(args)).split('\0').filter(Boolean);
    },
  };
}

export function describeFailure({ stderr, stdout, timedOut, code }: ProgramResult): string {
  if (timedOut) return 'it took too long and was stopped';
  const text = stderr.trim() || stdout.trim();
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-3).join(' · ') || `exit code ${code}`;
}

function gitFailed(folder: string, args: readonly string[], result: ProgramResult): SagaError {
  const [verb = ''] = args;
  return new SagaError(
    'git-failed',
    `git ${verb} failed in ${folder}: ${describeFailure(result)}.`,
    `See for yourself: git -C ${folder} ${args.join(' ')}`,
  );
}

export async function listWorktrees(git: Git): Promise<WorktreeEntry[]> {
  const text = await git.run(['worktree', 'list', '--porcelain']);
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('worktree '))
    .map((block) => {
      const branch = /^branch refs\/heads\/(.+)$/m.exec(block)?.[1];
      return {
        path: /^worktree (.+)$/m.exec(block)?.[1] ?? '',
        ...(branch === undefined ? {} : { branch }),
        prunable: /^prunable/m.test(block),
      };
    });
}

/** Files with changes that are in no commit; new ones included, ignored ones not. */
export async function listUncommitted(git: Git): Promise<string[]> {
  const records = await git.paths([
    '--no-optional-locks',
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--no-renames',
  ]);
  return records.map((record) => record.slice(3));
}

/** Files that differ between two commits. */
export function listChanged(git: Git, from: string, to: string): Promise<string[]> {
  return git.paths(['diff', '--name-only', '--no-renames', '-z', from, to]);
}

/** Commits what is below a path, and nothing else; says whether there was anything. */
export async function commitPath(git: Git, path: string, message: string): Promise<boolean> {
  await git.run(['add', '-A', '--', path]);
  const staged = await git.attempt(['diff', '--cached', '--quiet', '--', path]);
  if (staged.code === 0) return false;
  // Its own bookkeeping: hooks of the project are about code.
  await git.run(['commit', '--no-verify', '-q', '-m', message, '--', path]);
  return true;
}

export async function isAncestor(git: Git, ancestor: string, commit: string): Promise<boolean> {
  return (await git.attempt(['merge-base', '--is-ancestor', ancestor, commit])).code === 0;
}
