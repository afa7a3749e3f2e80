import { setTimeout as sleep } from 'node:timers/promises';
import { SagaError } from '../errors.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import {
  type Environment,
  type Lifeline,
  type ProgramResult,
  type RunOptions,
  runProgram,
} from '../processes/run.ts';
import { quote } from '../project/quote.ts';

export interface WorktreeEntry {
  path: string;
  /** The short name; undefined if HEAD is detached. */
  branch?: string;
  /** True if the worktree's folder or the link in it is missing. */
  prunable: boolean;
  /** Why the worktree must not be removed; `initializing` while git is still creating it. */
  locked?: string;
}

interface GitOptions {
  timeoutMs?: number;
  input?: string;
  /** Another index than the worktree's own. */
  index?: string;
  /**
   * Set if the command uses the network: it asks (fetch, ls-remote) or delivers (push). The limits
   * given to `openGit` apply.
   */
  network?: keyof NetworkLimits['ends'];
}

/** Signals that end commands on the network, in addition to their own time-out. */
export interface NetworkLimits {
  ends: {
    /** Aborted when an answer is no longer needed. */
    asking: AbortSignal;
    /** Aborted later, so that finished work can still be pushed. */
    delivering: AbortSignal;
  };
  lifeline: Lifeline;
}

/** Returns the options that apply these limits to `runProgram`. */
export function limitNetwork(
  limits: NetworkLimits | undefined,
  kind: keyof NetworkLimits['ends'] | undefined,
): Pick<RunOptions, 'stop' | 'lifeline'> {
  return limits && kind ? { stop: limits.ends[kind], lifeline: limits.lifeline } : {};
}

/** git in one folder. Every method except `attempt` throws `git-failed` with git's own words. */
export interface Git {
  readonly folder: string;
  readonly env: Environment;
  readonly limits?: NetworkLimits;
  run(args: readonly string[], options?: GitOptions): Promise<string>;
  attempt(args: readonly string[], options?: GitOptions): Promise<ProgramResult>;
  /** Returns the commit that a name stands for, or undefined. */
  resolve(name: string): Promise<string | undefined>;
  /** Returns the paths of NUL-separated output. */
  paths(args: readonly string[], options?: GitOptions): Promise<string[]>;
  /** Whether commits are to be signed, and whether signing works unattended. git is asked once. */
  signing(): Promise<Signing>;
}

export type Signing = 'off' | 'works' | 'fails';

const LOCAL_MS = 120_000;
const NETWORK_MS = 60_000;
/** Long enough for a person at the machine to touch a key or type a passphrase. */
const SIGNING_MS = 15_000;

/** Variables that point git to another repository; an outer git sets them for its hooks. */
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

/** Adds git settings to an environment. They win over the settings in files. */
export function withSettings(
  env: Environment,
  settings: readonly (readonly [key: string, value: string])[],
): Environment {
  const given = Number(env.GIT_CONFIG_COUNT ?? 0);
  const variables = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${given + index}`, key],
    [`GIT_CONFIG_VALUE_${given + index}`, value],
  ]);
  const count = String(given + settings.length);
  return { ...env, ...Object.fromEntries(variables), GIT_CONFIG_COUNT: count };
}

const OWN_SETTINGS = [
  // By default git does not sync new commits and refs to the disk, so a power cut could empty them.
  ['core.fsync', 'committed,reference'],
  // SAGA checks out, fetches and pushes one repository. In those inside it, a run may have named programs.
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  // SAGA parses what git prints, and a person may have signatures and colours on always.
  ['log.showSignature', 'false'],
  ...['ui', 'advice', 'branch', 'diff', 'push', 'remote', 'status', 'transport'].map(
    (what): [string, string] => [`color.${what}`, 'false'],
  ),
] as const;

export function openGit(folder: string, env: Environment, limits?: NetworkLimits): Git {
  const unattended = {
    ...withSettings(withoutStrayGit(env), OWN_SETTINGS),
    // Nobody can answer a prompt, and SAGA parses the messages.
    GIT_TERMINAL_PROMPT: '0',
    // Without a terminal, ssh could only ask in a window. GIT_SSH_COMMAND would override core.sshCommand, so
    // it is not used.
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_EDITOR: 'true',
    // A run can replace a commit by another one, or give it other parents.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    GIT_MERGE_AUTOEDIT: 'no',
    LC_ALL: 'C.UTF-8',
  };
  const attempt: Git['attempt'] = async (
    args,
    { network, timeoutMs = network ? NETWORK_MS : LOCAL_MS, input = '', index } = {},
  ) => {
    const ends = limitNetwork(limits, network);
    const variables = index === undefined ? unattended : { ...unattended, GIT_INDEX_FILE: index };
    for (let left = BUSY_TRIES; ; left--) {
      const options = { cwd: folder, env: variables, timeoutMs, input, ...ends };
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
    limits,
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
 * Errors that mean that another git is changing the same thing. Workers may start at the same time, so the command is
 * repeated. It leaves alone what it had already done.
 */
const BUSY = [
  // A worktree that is just being created; its entry is incomplete.
  /^fatal: failed to read .*worktrees\/.*\/commondir/m,
  /^(?:fatal|error): bad object worktrees\/.*\/HEAD/m,
  // A local ref that moved, or is being moved. This must not match a branch `a` where `a/b` is wanted, which stays an
  // error, nor an error about the remote's own refs, which the caller of push handles.
  /^(?:error|fatal): (?:.*: )?cannot lock ref '.*': (?!.*exists; cannot create)/m,
  /^(?:error|fatal|warning): could not lock config file .*: File exists/m,
];
const BUSY_TRIES = 15;
const BUSY_MS = 40;

const isBusy = ({ stderr }: ProgramResult) => BUSY.some((it) => it.test(stderr));

/** Whether signing works, by folder, so that SAGA waits for a slow key only once. */
const SIGNING = new Map<string, Promise<Signing>>();

/** Tries to sign a commit that no ref points to: this takes no lock, however long the key takes. */
async function findSigning(attempt: Git['attempt']): Promise<Signing> {
  const wanted = await attempt(['config', '--type=bool', '--get', 'commit.gpgsign']);
  if (wanted.stdout.trim() !== 'true') return 'off';
  const args = ['commit-tree', '-S', '-m', 'saga: can this be signed?', 'HEAD^{tree}'];
  return (await attempt(args, { timeoutMs: SIGNING_MS })).code === 0 ? 'works' : 'fails';
}

/** Builds the error for an output whose beginning is missing. The rest must not be parsed. */
function tooLong(folder: string, args: readonly string[]): SagaError {
  return new SagaError(
    'git-failed',
    `git ${verbOf(args)} printed more in ${folder} than SAGA can read.`,
    `To see it yourself: ${['git', '-C', folder, ...args].map(quote).join(' ')} | wc -c`,
  );
}

function verbOf(args: readonly string[]): string {
  return args.find((it, i) => !it.startsWith('-') && args[i - 1] !== '-c') ?? '';
}

export function gitFailed(
  folder: string,
  args: readonly string[],
  result: ProgramResult,
): SagaError {
  const full = findDiskFull(folder, result);
  if (full) return full;
  return new SagaError(
    'git-failed',
    `git ${verbOf(args)} failed in ${folder}: ${describeFailure(result)}.`,
    `To see it yourself: ${['git', '-C', folder, ...args].map(quote).join(' ')}`,
  );
}

/** What the system and git itself say if there is no room. */
const DISK_FULL = /No space left on device|Out of diskspace|Disk quota exceeded/;

/** Returns the error for a git that found no room on the disk; undefined if it failed for another reason. */
export function findDiskFull(folder: string, { stderr }: ProgramResult): SagaError | undefined {
  if (!DISK_FULL.test(stderr)) return undefined;
  return new SagaError(
    'disk-full',
    `No space left for git to write in ${folder}.`,
    `Free some space and run the command again. To see what is left: df ${quote(folder)}`,
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
        branch,
        prunable: /^prunable/m.test(block),
        locked,
      };
    });
}

/** Lists the files that differ between two commits. */
export function listChanged(git: Git, from: string, to: string): Promise<string[]> {
  return git.paths(['diff', '--name-only', '--no-renames', '-z', from, to]);
}

/**
 * Lists the paths at which the index has another repository: submodules, and repositories that somebody
 * made in the checkout. What is in them may be the work of a run, settings and filters included.
 */
export async function listNested(
  git: Git,
  below: readonly string[] = [':/'],
  options: Pick<GitOptions, 'index'> = {},
): Promise<string[]> {
  const records = await git.paths(
    ['ls-files', '--stage', '-z', '--full-name', '--', ...below],
    options,
  );
  const paths = records
    .filter((it) => it.startsWith('160000 '))
    .map((it) => it.slice(it.indexOf('\t') + 1));
  return [...new Set(paths)];
}

/**
 * Keeps status and diff out of repositories inside the checkout. git would start itself there, with the
 * filters that the settings of that repository name.
 */
export const STAY_OUT = '--ignore-submodules=dirty';

export async function isAncestor(git: Git, ancestor: string, commit: string): Promise<boolean> {
  return (await git.attempt(['merge-base', '--is-ancestor', ancestor, commit])).code === 0;
}
