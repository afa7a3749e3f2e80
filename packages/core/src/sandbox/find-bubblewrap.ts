import type { Config } from '@saga-ai/types/config';
import { SagaError } from '../errors.ts';
import { findOnPath } from '../processes/find-program.ts';
import { type Environment, runProgram } from '../processes/run.ts';

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

const TRIAL = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid'];
const TRIAL_MS = 10_000;

/** Finds bubblewrap and tries it: a system may have it and forbid what it needs. */
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
  const args = [...TRIAL, ...own, '--cap-drop', 'ALL', '--', 'true'];
  const { code, stderr } = await runProgram(path, args, { cwd: '/', env, timeoutMs: TRIAL_MS });
  if (code === 0) return { path };
  const said = stderr.trim().split('\n').at(-1) ?? '';
  return { missing: `bubblewrap does not work here (${said})`, remedy: REMEDY, isForbidden: true };
}

const REMEDY =
  'The system forbids user namespaces. On Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0. In a container: start it with --security-opt seccomp=unconfined.';
