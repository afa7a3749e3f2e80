import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { isAtLeast } from '@saga-ai/types/words/versions';
import { askClaudeVersion, findClaude } from '../agents/claude/claude.ts';
import { OLDEST_CLIENT, TESTED_CLIENTS } from '../agents/claude/client-features.ts';
import { askLogin, knowsLogin, type LoginStatus } from '../agents/claude/login.ts';
import { SagaError } from '../errors.ts';
import type { Environment } from '../processes/run.ts';
import { type ClientTrial, tryClient } from './try-client.ts';

export interface ClientRequest {
  folder: string;
  env: Environment;
  /** The setting `worker.claudePath`. */
  configured: string | null;
  /** The address of a scripted model that gives one answer. */
  modelUrl: string;
  stop: AbortSignal;
}

/** Checks that the client is installed, that its version is known, and that it does what a run relies on. */
export async function checkClient(request: ClientRequest): Promise<Finding[]> {
  const { folder, env, configured } = request;
  try {
    const path = findClaude(configured, folder, env);
    const version = await askClaudeVersion(path, folder, env);
    const known = withPath(checkVersion(version), configured === null ? undefined : path);
    if (known.state === 'problem') return [known];
    const [trial, login] = await Promise.all([
      tryClient({ path, version }, request),
      knowsLogin(version) ? checkLogin(path, folder, env) : [],
    ]);
    return [known, ...describeTrial(trial), ...login];
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    return [problem('claude', error.message, error.hint)];
  }
}

/** Adds the path to a finding: a project may configure its own client. */
const withPath = (finding: Finding, path: string | undefined): Finding =>
  path === undefined ? finding : { ...finding, message: `${finding.message}: ${path}` };

export function checkVersion(version: string): Finding {
  const newest = TESTED_CLIENTS.at(-1) ?? OLDEST_CLIENT;
  if (!isAtLeast(version, OLDEST_CLIENT)) {
    const what = `${version} is too old; SAGA needs ${OLDEST_CLIENT} or later`;
    return problem('claude', what, 'claude update');
  }
  if (TESTED_CLIENTS.includes(version)) return ok('claude', `${version} (tested)`);
  return isAtLeast(newest, version)
    ? ok('claude', `${version} (between tested versions)`)
    : ok('claude', `${version} (newer than ${newest}, the last one tested)`);
}

const OTHER_CLIENT = `claude update, or a version that was tested: ${TESTED_CLIENTS.at(-1)}`;

/** Describes the trial. If the client fails, the trial says nothing about its tools or the guard. */
export function describeTrial(trial: ClientTrial): Finding[] {
  const { report, elapsedMs } = trial;
  const took = `checked with a scripted model, ${(elapsedMs / 1000).toFixed(1)} s`;
  if (report.stoppedBy === 'no-task-tools') {
    return [problem('Task tools', report.detail, OTHER_CLIENT), describeGuard(trial)];
  }
  if (report.outcome === 'ok' || report.stoppedBy === 'guard-silent') {
    return [ok('Task tools', `offered (${took})`), describeGuard(trial)];
  }
  if (report.stoppedBy === 'signal')
    return [warning('claude', 'the check was stopped before its end')];
  const what = `a run with a scripted model fails: ${report.detail}`;
  return [problem('claude', what, 'Try it by hand: claude -p hello')];
}

function describeGuard({ wasAskedAboutPrompt, isRefused, answerMs }: ClientTrial): Finding {
  if (!isRefused)
    return problem('guard', 'does not refuse a write outside the worktree', 'Report this as a bug');
  if (!wasAskedAboutPrompt) {
    const fix = 'Something prevents hooks from running: check the managed settings of this machine';
    return problem('guard', 'the client does not ask it, so nothing would be refused', fix);
  }
  return ok('guard', `answers in ${Math.max(1, Math.round(answerMs))} ms, and the client asks it`);
}

/** Checks the login. A client that cannot report it counts as logged in. */
async function checkLogin(path: string, folder: string, env: Environment): Promise<Finding[]> {
  const status = await askLogin(path, folder, env);
  if (status?.loggedIn === true) return [ok('login', describeMethod(status))];
  if (status?.loggedIn !== false) return [];
  const fix = 'Start claude and type /login, or set ANTHROPIC_API_KEY';
  return [problem('login', 'the client is not logged in, so no story can be run', fix)];
}

const describeMethod = ({ authMethod }: LoginStatus) =>
  authMethod ? `logged in (${authMethod})` : 'logged in';
