import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { isAtLeast } from '@saga-ai/types/words/versions';
import { agent } from '../agents/chosen.ts';
import type { Environment } from '../processes/run.ts';
import type { Look } from './check-needs.ts';
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
}

/**
 * Adds whether the client does what a run relies on, whether its version was tested, and which of the person's files it
 * reads.
 */
export function lookAtClient(request: ClientRequest): Look {
  const { folder, env, clientHome, configured } = request;
  return {
    async describe({ name }, { what: version }) {
      const path = agent.find(configured, folder, env);
      const trial = await tryClient({ path, version }, request);
      // A project may configure its own client.
      const place = configured === null ? '' : `: ${path}`;
      const { unread } = agent.readAccount({ config: clientHome }, {});
      return [
        ok(name, `${version} (${describeVersion(version)})${place}`),
        ...describeTrial(trial),
        ...(unread ? [describeUnread(unread)] : []),
      ];
    },
  };
}

export function describeVersion(version: string): string {
  const { oldest, tested } = agent.versions;
  const newest = tested.at(-1) ?? oldest;
  if (tested.includes(version)) return 'tested';
  if (isAtLeast(newest, version)) return 'between tested versions';
  return `newer than ${newest}, the last one tested`;
}

const OTHER_CLIENT = `${agent.words.update}, or a version that was tested: ${agent.versions.tested.at(-1)}`;

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
  return [problem('claude', what, agent.words.tryByHand)];
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

function describeUnread({ path, reason }: { path: string; reason: string }): Finding {
  const what = `${path} cannot be read: ${reason}. Runs go on without your account settings`;
  return warning('login', what, 'Correct the file, or remove it');
}
