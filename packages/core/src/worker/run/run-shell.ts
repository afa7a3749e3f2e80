import { createHash, randomUUID } from 'node:crypto';
import type { CommandStop, VerifyRun } from '@saga-ai/types/run/evidence';
import { maskText } from '@saga-ai/types/words/mask-secrets';
import { isGitHubToken } from '../../forge/github-variables.ts';
import { withoutStrayGit } from '../../git/git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { armDeadline } from '../../processes/deadline.ts';
import { type Environment, startProgram } from '../../processes/run.ts';
import { stopProgram } from '../../processes/stop-program.ts';
import { RUN_VARIABLE } from '../../processes/variables.ts';
import type { OnMoved } from '../../sandbox/branch-after-run.ts';
import { quarantineOf, removeEnclosure } from '../../sandbox/enclosure.ts';
import { takeOver } from '../../sandbox/git-quarantine.ts';
import { findSecretsOf, stopReason, type Worker } from '../context.ts';
import { findSurroundings } from './confine.ts';
import { enclose, openWayOut } from './enclose.ts';

const KEPT_LINES = 40;
const KEPT_LINE_LENGTH = 400;

export interface ShellOptions {
  /** The longest time for this command alone, in milliseconds. */
  limitMs?: number;
  onLine?(line: string): void;
  /**
   * Set if what an enclosed command committed is taken over; otherwise its commits are dropped. Told if a person moved
   * the branch meanwhile.
   */
  keepsCommits?: { onMoved: OnMoved };
  /** Where the command runs, if not in the worktree: a checkout with a git folder of its own. */
  checkout?: string;
}

/**
 * Runs a command of the user's configuration in a worktree, within the worker's time. When the time is up
 * or the worker must stop, the command is ended with everything it started.
 */
export async function runShell(
  worker: Worker,
  worktree: Worktree,
  command: string,
  { limitMs = Number.POSITIVE_INFINITY, onLine, keepsCommits, checkout }: ShellOptions = {},
): Promise<VerifyRun> {
  const hash = createHash('sha256');
  const end: string[] = [];
  const startedAt = new Date().toISOString();
  const runId = randomUUID();
  const env = {
    ...withoutCredentials(worker),
    SAGA_STORY_ID: worker.storyId,
    SAGA_PROJECT_DIR: worker.paths.root,
    [RUN_VARIABLE]: runId,
  };
  // One stream for both, so that errors appear where they happened.
  const args = ['-c', `exec 2>&1\n${command}`];
  const { lifeline } = worker;
  const account = worker.agent.readAccount(worker.agentHome, {}).env;
  const surroundings = findSurroundings(worker);
  using network = openWayOut(worker, surroundings, { ...worker.env, ...account });
  const inside = { surroundings, runId, program: 'sh', env, checkout, network };
  const walls = await enclose(worker, worktree, inside);
  const [path, lead] = walls ? [walls.program, [...walls.args, 'sh']] : ['sh', []];
  const options = {
    cwd: checkout ?? worktree.folder,
    env: walls?.env ?? env,
    lifeline,
    converse: walls?.converse ? walls.converse : undefined,
  };
  const secrets = findSecretsOf(worker);
  const program = startProgram(path, [...lead, ...args], options, (printed) => {
    const line = maskText(printed, secrets);
    hash.update(`${line}\n`);
    end.push(line.slice(0, KEPT_LINE_LENGTH));
    if (end.length > KEPT_LINES) end.shift();
    onLine?.(line);
  });
  let stoppedBy: CommandStop | undefined;
  const stop = (why: CommandStop) => {
    if (stoppedBy !== undefined || program.hasEnded()) return;
    stoppedBy = why;
    stopProgram(program, runId).catch(() => {
      // The processes could not be listed. They are listed again once the command has ended.
    });
  };
  using _limit = armDeadline(Date.now() + limitMs, undefined, () => stop('timeout'));
  using _armed = armDeadline(worker.deadline, worker.stop, (cause) =>
    stop(cause === 'time' ? 'deadline' : 'stop'),
  );
  try {
    const { code } = await program.ended;
    return {
      command,
      // A stopped command has no exit code of its own, because it may turn the signal that ended it into any code, even
      // 0.
      exitCode: stoppedBy === undefined ? code : null,
      stoppedBy,
      startedAt,
      endedAt: new Date().toISOString(),
      outputSha256: hash.digest('hex'),
      outputEnd: end.join('\n'),
    };
  } finally {
    // End the processes that the command left running.
    await stopProgram(program, runId);
    if (walls && keepsCommits) {
      const { onMoved } = keepsCommits;
      await takeOver(worktree, quarantineOf(worktree, runId), runId, worker.env, onMoved);
    }
    if (walls) removeEnclosure(worktree, runId);
  }
}

/**
 * Removes the credentials of the model and of GitHub, which a command of the project does not need, unless the settings
 * allow them.
 */
function withoutCredentials({ env, agent, config }: Worker): Environment {
  const { passVariables } = config.gate;
  const isKept = (name: string) =>
    passVariables.includes(name) || !(agent.isOwnVariable(name) || isGitHubToken(name));
  const around = agent.withoutOuterSession(withoutStrayGit(env));
  return Object.fromEntries(Object.entries(around).filter(([name]) => isKept(name)));
}

/** Returns in words why a command did not end by itself. */
export function describeStop(worker: Worker, { stoppedBy }: Pick<VerifyRun, 'stoppedBy'>): string {
  if (stoppedBy === 'timeout') return `stopped after ${describeLimit(worker)}`;
  if (stoppedBy === 'deadline') return 'stopped: the time is up';
  return `stopped: ${stopReason(worker) ?? 'it was killed from outside'}`;
}

const describeLimit = ({ config }: Worker) =>
  `${config.gate.timeout} min, the limit of gate.timeout`;
