import type { Config } from '@saga-ai/types/config';
import { SagaError } from '../errors.ts';
import { findOnPath } from '../processes/find-program.ts';
import { type Environment, runProgram } from '../processes/run.ts';
import { SYSTEM } from './bubblewrap-arguments.ts';

export interface NoBubblewrap {
  missing: string;
  remedy: string;
  /** True if bubblewrap is installed but the system forbids what it needs. */
  isForbidden: boolean;
}

/** The error of a worker whose settings require the sandbox. */
export function sandboxRequired({ missing, remedy }: NoBubblewrap): SagaError {
  return new SagaError(
    'missing-program',
    `worker.sandbox is required, but ${missing}.`,
    `${remedy} Or set worker.sandbox to auto, and runs will not be enclosed.`,
  );
}

/** A file that makes the kernel start a program outside all walls, for whoever can write it. */
const KERNEL_SETTING = '/proc/sys/kernel/core_pattern';
/** Opens the file and writes nothing. */
const PROBE = `if (true >> ${KERNEL_SETTING}) 2> /dev/null; then echo open; fi`;
const TRIAL_MS = 10_000;

/** Finds bubblewrap and tries it: a system may have it and forbid what it needs, and root may pass through its walls. */
export async function findBubblewrap(
  env: Environment,
  network: Config['sandbox']['network'] = 'open',
): Promise<{ path: string } | NoBubblewrap> {
  if (process.platform !== 'linux') {
    return {
      missing: 'the sandbox needs Linux',
      remedy: 'Run stories in a Linux container.',
      isForbidden: false,
    };
  }
  const path = findOnPath('bwrap', env);
  if (path === undefined) {
    return {
      missing: 'bubblewrap is not installed',
      remedy: 'Install the package bubblewrap.',
      isForbidden: false,
    };
  }
  const own = network === 'open' ? [] : ['--unshare-net'];
  const start = ['--unshare-pid', ...own, '--cap-drop', 'ALL', '--', '/bin/sh', '-c', PROBE];
  const options = { cwd: '/', env, timeoutMs: TRIAL_MS };
  const { code, stdout, stderr } = await runProgram(path, [...SYSTEM, ...start], options);
  if (code === 0 && stdout === '') return { path };
  if (code === 0) {
    return {
      missing: `bubblewrap does not hold here: a command inside can write ${KERNEL_SETTING}`,
      remedy: 'Run SAGA as an ordinary user.',
      isForbidden: true,
    };
  }
  const said = stderr.trim().split('\n').at(-1) ?? '';
  return { missing: `bubblewrap does not work here (${said})`, remedy: REMEDY, isForbidden: true };
}

const REMEDY =
  'The system forbids user namespaces. On Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0. In a container: start it with --security-opt seccomp=unconfined.';
