import { setTimeout as sleep } from 'node:timers/promises';
import { SagaError } from '../errors.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import { quote } from '../processes/quote.ts';
import {
  type Environment,
  type Lifeline,
  type ProgramResult,
  type RunOptions,
  runProgram,
} from '../processes/run.ts';

export interface WorktreeEntry {
  path: string;
  /** Short name; nothing while its HEAD is detached. */
  branch?: string;
  /** Its folder, or the link in it, is gone. */
  prunable: boolean;
  /** Why nobody may remove it; `initializing` while git is still making it. */
  locked?: string;
}

interface GitOptions {
  timeoutMs?: number;
  input?: string;
  /**
   * The command reaches the network, and what it does there: it asks (fetch, ls-remote) or delivers
   * (push). Whoever opened this git may have set limits to each.
   */
  network?: keyof NetworkLimits['ends'];
}

/** What ends commands that reach the network, beside their own time-out. */
export interface NetworkLimits {
  ends: {
    /** Aborted when nobody waits for an answer any more. */
    asking: AbortSignal;
    /** Aborted later: what was finished should still arrive. */
    delivering: AbortSignal;
  };
  lifeline: Lifeline;
}

/** For a program that is started with `runProgram`. */
export function limitNetwork(
  limits: NetworkLimits | undefined,
  kind: keyof NetworkLimits['ends'] | undefined,
): Pick<RunOptions, 'stop' | 'lifeline'> {
  return limits && kind ? { stop: limits.ends[kind], lifeline: limits.lifeline } : {};
}

/** git in one folder. Every verb throws `git-failed` with git's own words, but `attempt`. */
export interface Git {
  readonly folder: string;
  readonly env: Environment;
  run(args: readonly string[], options?: GitOptions): Promise<string>;
  attempt(args: readonly string[], options?: GitOptions): Promise<ProgramResult>;
  /** The commit a name stands for, if there is one. */
  resolve(name: string): Promise<string | undefined>;
  /** Paths from NUL-separated output. */
  paths(args: readonly string[], options?: GitOptions): Promise<string[]>;
  /** Whether commits are signed here, and that works with nobody there. Asked of git once. */
  signing(): Promise<Signing>;
}

export type Signing = 'off' | 'works' | 'fails';

const LOCAL_MS = 120_000;
const NETWORK_MS = 60_000;
/** Long enough to touch a key or type a passphrase for one who happens to be there. */
const SIGNING_MS = 15_000;

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

export function openGit(folder: string, env: Environment, limits?: NetworkLimits): Git {
  const unattended = {
    ...withoutStrayGit(env),
    // Nobody is there to answer, and messages are read by us.
    GIT_TERMINAL_PROMPT: '0',
    // Without a terminal ssh can only ask in a window; GIT_SSH_COMMAND would outweigh core.sshCommand.
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_EDITOR: 'true',
    GIT_MERGE_AUTOEDIT: 'no',
    LC_ALL: 'C.UTF-8',
  };
  const attempt: Git['attempt'] = async (
    args,
    { network, timeoutMs = network ? NETWORK_MS : LOCAL_MS, input = '' } = {},
  ) => {
    const ends = limitNetwork(limits, network);
    for (let left = BUSY_TRIES; ; left--) {
      const options = { cwd: folder, env: unattended, timeoutMs, input, ...ends };
      const result = await runProgram('git', args, options);
      if (result.code === 0 || left === 0 || !isBusy(result)) return result;
      await sleep(BUSY_MS * (0.5 + Math.random()));
    }
  };
  const run: Git['run'] = async (args, options) => {
    const result = await attempt(args, options);
    if (result.isCut) throw tooLong(folder, args);
    if (result.code === 0) return result.stdout.replace(/\n$/, '');
    throw gitFailed(folder, args, result);
  };
  return {
    folder,
    env,
    attempt,
    run,
    async resolve(name) {
      const { code, stdout } = await attempt(['rev-parse', '--verify', '-q', `${name}^{commit}`]);
      return code === 0 ? stdout.trim() : undefined;
    },
    async paths(args, options) {
      return (await run(args, options)).split('\0').filter(Boolean);
    },
    signing() {
      const known = SIGNING.get(folder) ?? findSigning(attempt);
      SIGNING.set(folder, known);
      return known;
    },
  };
}

/**
 * Another git changes the same thing at this moment, and this one gave up. Workers begin at the same
 * time, so it is asked again: what it had done by then, it finds done.
 */
const BUSY = [
  // A worktree that is just being made, whose entry is not whole yet.
  /^fatal: failed to read .*worktrees\/.*\/commondir/m,
  /^(?:fatal|error): bad object worktrees\/.*\/HEAD/m,
  // A ref here that moved since git looked, or is being moved. A branch `a` where `a/b` shall be stays,
  // and what a remote says of its own refs is for whoever pushes.
  /^(?:error|fatal): (?:.*: )?cannot lock ref '.*': (?!.*exists; cannot create)/m,
  /^(?:error|fatal|warning): could not lock config file .*: File exists/m,
];
const BUSY_TRIES = 15;
const BUSY_MS = 40;

const isBusy = ({ stderr }: ProgramResult) => BUSY.some((it) => it.test(stderr));

/** By folder: a key that has to be waited for is waited for once. */
const SIGNING = new Map<string, Promise<Signing>>();

/** Tried on a commit that nobody refers to: it takes no lock, however long a key is waited for. */
async function findSigning(attempt: Git['attempt']): Promise<Signing> {
  const wanted = await attempt(['config', '--type=bool', '--get', 'commit.gpgsign']);
  if (wanted.stdout.trim() !== 'true') return 'off';
  const args = ['commit-tree', '-S', '-m', 'saga: can this be signed?', 'HEAD^{tree}'];
  return (await attempt(args, { timeoutMs: SIGNING_MS })).code === 0 ? 'works' : 'fails';
}

/** The front of the output is missing: whatever were read from the rest would be wrong. */
function tooLong(folder: string, args: readonly string[]): SagaError {
  return new SagaError(
    'git-failed',
    `git ${verbOf(args)} printed more in ${folder} than SAGA can take in.`,
    `See for yourself: ${['git', '-C', folder, ...args].map(quote).join(' ')} | wc -c`,
  );
}

function verbOf(args: readonly string[]): string {
  return args.find((it, i) => !it.startsWith('-') && args[i - 1] !== '-c') ?? '';
}

function gitFailed(folder: string, args: readonly string[], result: ProgramResult): SagaError {
  return new SagaError(
    'git-failed',
    `git ${verbOf(args)} failed in ${folder}: ${describeFailure(result)}.`,
    `See for yourself: ${['git', '-C', folder, ...args].map(quote).join(' ')}`,
  );
}

export async function listWorktrees(git: Git): Promise<WorktreeEntry[]> {
  const text = await git.run(['worktree', 'list', '--porcelain']);
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('worktree '))
    .map((block) => {
      const branch = /^branch refs\/heads\/(.+)$/m.exec(block)?.[1];
      const locked = /^locked ?(.*)$/m.exec(block)?.[1];
      return {
        path: /^worktree (.+)$/m.exec(block)?.[1] ?? '',
        ...(branch === undefined ? {} : { branch }),
        prunable: /^prunable/m.test(block),
        ...(locked === undefined ? {} : { locked }),
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
  // What some have git refuse is only how lines end, and these files are ours.
  await git.run(['-c', 'core.safecrlf=false', 'add', '-A', '--', path]);
  const staged = await git.attempt(['diff', '--cached', '--quiet', '--', path]);
  if (staged.code === 0) return false;
  return commit(git, message, [path]);
}

/** Commits the changes of a file that git knows and that has some: in one step, which a start waits for. */
export function commitTracked(git: Git, path: string, message: string): Promise<boolean> {
  return commit(git, message, [path]);
}

/** Commits all there is, ignored files left out; says whether there was anything. */
export async function commitAll(git: Git, message: string): Promise<boolean> {
  await git.run(['-c', 'core.safecrlf=false', 'add', '-A']);
  if ((await git.attempt(['diff', '--cached', '--quiet'])).code === 0) return false;
  return commit(git, message, []);
}

/**
 * A commit of our own bookkeeping. Hooks of the project are about code, so none is run; and a key
 * that cannot be used now must not stop the work.
 */
async function commit(git: Git, message: string, paths: readonly string[]): Promise<boolean> {
  const unsigned = (await git.signing()) === 'fails' ? ['--no-gpg-sign'] : [];
  const lead = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.safecrlf=false'];
  const words = ['commit', '--no-verify', '-q', ...unsigned, '-m', message];
  const args = [...lead, ...words, ...(paths.length > 0 ? ['--', ...paths] : [])];
  const result = await git.attempt(args);
  if (result.code === 0) return true;
  // A person in the middle of a merge: git refuses a part, and the end of it carries this along.
  if (/partial commit during a (merge|cherry-pick|rebase)/.test(result.stderr)) return false;
  throw gitFailed(git.folder, args, result);
}

export async function isAncestor(git: Git, ancestor: string, commit: string): Promise<boolean> {
  return (await git.attempt(['merge-base', '--is-ancestor', ancestor, commit])).code === 0;
}
