import type { GateCheck, VerifyRun } from '@saga-ai/types/run/evidence';
import { listFiles } from '@saga-ai/types/words/amounts';
import { openPlainGit } from '../../git/plain-git.ts';
import { listUncommitted } from '../../git/uncommitted.ts';
import type { Worktree } from '../../git/worktree.ts';
import { openCleanCheckout } from '../clean/clean-checkout.ts';
import type { Worker } from '../context.ts';
import { explainFailure } from '../run/explain-walls.ts';
import { describeStop } from '../run/run-shell.ts';
import { failed, passed } from './checks.ts';
import { runVerify } from './run-verify.ts';

export interface Verified {
  /** The result of the verify command, or of setup if setup failed. */
  run: VerifyRun;
  check: GateCheck;
}

/**
 * Runs the verify command in a clean checkout of the story's last commit: uncommitted files do not count. With
 * `gate.clean` off, the command runs in the worktree.
 */
export async function verifyCommit(
  worker: Worker,
  worktree: Worktree,
  { command, head }: { command: string; head: string },
): Promise<Verified> {
  return worker.config.gate.clean
    ? verifyClean(worker, worktree, command, head)
    : verifyWorktree(worker, worktree, command);
}

const IN_CLEAN = 'in a clean checkout';

async function verifyClean(
  worker: Worker,
  worktree: Worktree,
  command: string,
  head: string,
): Promise<Verified> {
  const checkout = await openCleanCheckout(worker, worktree, head);
  try {
    const { failedSetup } = checkout;
    if (failedSetup) {
      const check = checkFailure(worker, failedSetup, {
        where: 'in the setup of a clean checkout',
        folder: checkout.folder,
      });
      return { run: failedSetup, check };
    }
    const before = new Set(await checkout.listChanged());
    const run = await runVerify(worker, worktree, command, checkout.folder);
    if (run.exitCode !== 0)
      return {
        run,
        check: checkFailure(worker, run, { where: IN_CLEAN, folder: checkout.folder }),
      };
    const changed = (await checkout.listChanged()).filter((path) => !before.has(path));
    if (changed.length === 0) {
      return { run, check: passed('verify', `${command} ended with code 0 ${IN_CLEAN}`) };
    }
    const what = `${command} changes committed files, so it did not test what is committed`;
    return { run, check: failed('verify', `${what}: ${listFiles(changed)}`, changed) };
  } finally {
    checkout.close();
  }
}

/**
 * Also fails if the command left new files. Then it did not test the commit, and the files would be in the way of the
 * next run.
 */
async function verifyWorktree(
  worker: Worker,
  worktree: Worktree,
  command: string,
): Promise<Verified> {
  const git = openPlainGit(worktree.folder, worker.env);
  const before = new Set(await listUncommitted(git));
  const run = await runVerify(worker, worktree, command);
  const where = 'in the worktree';
  if (run.exitCode !== 0)
    return { run, check: checkFailure(worker, run, { where, folder: worktree.folder }) };
  const left = (await listUncommitted(git)).filter((path) => !before.has(path));
  if (left.length === 0) {
    return { run, check: passed('verify', `${command} ended with code 0 ${where}`) };
  }
  const what = `${command} leaves files that are neither committed nor ignored`;
  return { run, check: failed('verify', `${what}: ${listFiles(left)}`, left) };
}

interface Spot {
  /** Where the command ran, in words. */
  where: string;
  /** The folder that the command ran in. */
  folder: string;
}

function checkFailure(worker: Worker, run: VerifyRun, { where, folder }: Spot): GateCheck {
  const { command, exitCode, stoppedBy } = run;
  if (exitCode !== null) {
    const wall = explainFailure(worker, folder, run.outputEnd);
    const ended = `${command} ended with code ${exitCode} ${where}`;
    return failed('verify', wall === undefined ? ended : `${ended}. ${wall}`);
  }
  const check = failed('verify', `${command} was ${describeStop(worker, run)}`);
  const hasResult = stoppedBy === 'timeout' || stoppedBy === undefined;
  return {
    ...check,
    ...(stoppedBy === undefined ? {} : { stoppedBy }),
    ...(hasResult ? {} : { wasStopped: true }),
  };
}
