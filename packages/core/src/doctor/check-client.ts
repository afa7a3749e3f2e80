import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { isAtLeast } from '@saga-ai/types/words/versions';
import { readAccount } from '../agents/claude/account/read-account.ts';
import { askClaudeVersion, findClaude } from '../agents/claude/claude.ts';
import { OLDEST_CLIENT, TESTED_CLIENTS } from '../agents/claude/client-features.ts';
import { requireLogin } from '../agents/claude/require-login.ts';
import { SagaError } from '../errors.ts';
import { withoutStrayGit } from '../git/git.ts';
import type { Environment } from '../processes/run.ts';
import { type ClientTrial, tryClient } from './try-client.ts';

export interface ClientRequest {
  folder: string;
  env: Environment;
  /** The client's own folder, with the person's settings. */
  clientHome: string;
  /** The setting `worker.claudePath`. */
  configured: string | null;
  /** The address of a scripted model that gives one answer. */
  modelUrl: string;
  stop: AbortSignal;
  /** False leaves the login out, because the folder may name the program that logs in. */
  asksLogin: boolean;
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
      request.asksLogin ? checkLogin(path, version, request) : [NOT_ASKED],
    ]);
    return [known, ...describeTrial(trial), ...login];
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    return [problem('claude', error.message, error.hint)];
  }
}

const NOT_ASKED = warning('login', 'not checked: this project is not trusted yet', 'saga trust');

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
    const fix =
      'Something prevents hooks from running: check the managed settings of this machine, and its proxy';
    return problem('guard', 'the client does not ask it, so nothing would be refused', fix);
  }
  return ok('guard', `answers in ${Math.max(1, Math.round(answerMs))} ms, and the client asks it`);
}

/** Checks how a run would log in. The client is really asked, also if a variable names a key. */
async function checkLogin(
  path: string,
  version: string,
  { folder, env: around, clientHome }: ClientRequest,
): Promise<Finding[]> {
  const env = withoutStrayGit(around);
  const home = { config: clientHome };
  const { unread } = readAccount(home, folder);
  const program = { path, version };
  const told = unread ? [describeUnread(unread)] : [];
  try {
    const how = await requireLogin({ program, home, folder, env, isQuick: false });
    return how === undefined ? told : [...told, ok('login', how)];
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    return [...told, problem('login', error.message, error.hint)];
  }
}

function describeUnread({ path, reason }: { path: string; reason: string }): Finding {
  const what = `${path} cannot be read: ${reason}. Runs go on without your account settings`;
  return warning('login', what, 'Correct the file, or remove it');
}
