import { join } from 'node:path';
import { describeNextRun } from '@saga-ai/core/epic/look/describe-resume';
import { ensureSessionFolder } from '@saga-ai/core/files/session-folder';
import { loadConfig } from '@saga-ai/core/plan/config';
import { loadEvidence } from '@saga-ai/core/plan/load-evidence';
import { loadStory } from '@saga-ai/core/plan/stories';
import { requireGateable } from '@saga-ai/core/worker/gate-story';
import { runWorker, type WorkerEnd } from '@saga-ai/core/worker/run-worker';
import { parseJournal } from '@saga-ai/types/plan/journal';
import { findUntold } from '@saga-ai/types/plan/worker-notes';
import type { EventType } from '@saga-ai/types/run/event';
import type { Evidence } from '@saga-ai/types/run/evidence';
import type { GateJson } from '@saga-ai/types/screens/json/run';
import { adviseAfterGate } from '@saga-ai/types/words/advise-after-gate';
import { formatSession } from '@saga-ai/types/words/names';
import type { Command, Invocation } from '../../command.ts';
import { describeWorktree } from '../../describe-worktree.ts';
import { environment } from '../../environment.ts';
import {
  formatAdvice,
  formatChecks,
  formatVerdict,
  formatVerifyEnd,
  formatWarnings,
  UNVERIFIED_HINT,
} from '../../output/gate-report.ts';
import type { Output } from '../../output/output.ts';
import { wrap } from '../../output/text.ts';
import { createWorkerView } from '../../output/worker-view.ts';
import { settleTrust, TRUST_OPTION } from '../../trust/settle-trust.ts';
import { WORKER_OPTIONS } from '../../worker-options.ts';
import { describeWorkerProcess } from '../../worker-process.ts';

export const command: Command<GateJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.GateJson),
  args: [{ name: 'story', help: 'a story', required: true, complete: 'story' }],
  options: { 'no-pr': WORKER_OPTIONS['no-pr'], ...TRUST_OPTION },
  about: `Runs the checks of the story's gate in its worktree as it is, and the verify command in a clean
checkout of its last commit. No model is asked, so it costs nothing. Use it after you have mended something
by hand and committed it. The result is recorded as after a
run: the evidence is committed and pushed, and if the gate passed, the pull request becomes ready.

Exit codes: 0 passed, 1 error, 2 stopped, 3 failed.`,
  examples: ['saga gate cart-api'],
  async run(invocation) {
    const { args, paths, out } = invocation;
    const storyId = args[0] ?? '';
    requireGateable(paths(), storyId);
    const { end, session, outputFile, wasRun } = await runGateHere(invocation, storyId);
    if (end.error !== undefined) throw end.error;
    const { kind, reason, exitCode } = end;
    const isJudged = kind === 'done' || kind === 'needs-you';
    const { home, journal } = loadStory(paths(), storyId);
    const evidence = isJudged ? loadEvidence(paths(), home) : undefined;
    if (out.json) {
      out.value({
        story: storyId,
        session,
        outputFile,
        outcome: kind,
        reason,
        exitCode,
        evidence: evidence ?? null,
      });
    } else if (evidence) {
      const worktree = describeWorktree(paths(), storyId);
      const purpose = 'to have it worked on';
      const next = describeNextRun(paths(), storyId, { journal, purpose });
      out.lines(report(storyId, end, { evidence, journal, next, worktree, wasRun }, out));
    } else out.lines([`${storyId}: the gate was not finished: ${reason}`]);
    return exitCode;
  },
};

/** The report at the end says the same, better. */
const REPORTED: readonly EventType[] = ['gate:check', 'gate:passed', 'gate:failed', 'worker:end'];

async function runGateHere({ paths, out, flag }: Invocation<GateJson>, storyId: string) {
  const env = await settleTrust({
    paths: paths(),
    storyIds: [storyId],
    env: environment.handedOver(),
    out,
    isGiven: flag('trust'),
  });
  const flags = flag('no-pr') ? { 'pullRequest.mode': 'off' } : {};
  const { config } = loadConfig(paths(), { environment: env, flags });
  const timestamp = Date.now();
  const session = formatSession({ storyId, timestamp });
  const outputFile = join(ensureSessionFolder(env, environment.userId()), `${session}.jsonl`);
  let wasRun = true;
  using view = out.json
    ? undefined
    : createWorkerView(out, () => loadStory(paths(), storyId).tasks);
  const end = await runWorker({
    paths: paths(),
    storyId,
    config,
    ...describeWorkerProcess(env),
    session,
    timestamp,
    // The gate has its own limit; the rest of the time is for setup, git and GitHub.
    deadline: timestamp + (config.worker.maxTime + config.gate.timeout) * 60_000,
    anyway: false,
    onlyGate: true,
    outputFile,
    listen: (event) => {
      if (event.type === 'gate:passed' && event.again === false) wasRun = false;
      if (REPORTED.includes(event.type)) view?.clear();
      else view?.read(event);
    },
  });
  return { end, session, outputFile, wasRun };
}

interface Judged {
  evidence: Evidence;
  journal: string;
  /** What starts the next run. */
  next: readonly string[];
  worktree: string | undefined;
  wasRun: boolean;
}

function report(
  storyId: string,
  { kind, cause }: WorkerEnd,
  { evidence, journal, next, worktree, wasRun }: Judged,
  out: Output<GateJson>,
): string[] {
  const checks = [...formatChecks(evidence.checks, out), ...formatWarnings(evidence, out)];
  if (kind !== 'done') {
    const failed = evidence.checks.filter((it) => it.outcome === 'failed').map((it) => it.name);
    return [
      '',
      ...checks,
      ...formatVerifyEnd(evidence, out),
      formatVerdict(storyId, false, `gate failed: ${failed.join(', ')}`, out),
      ...formatAdvice(adviseAfterGate({ storyId, worktree, checks: failed }), out.width),
    ];
  }
  const { feedback, answers } = findUntold(parseJournal(journal).entries);
  const said = wasRun ? 'gate passed' : 'gate passed before, and nothing has changed since';
  const { noPullRequest, refusal } = cause.kind === 'done' ? cause : {};
  return [
    '',
    ...checks,
    formatVerdict(storyId, true, said, out),
    ...(evidence.verify ? [] : UNVERIFIED_HINT),
    ...(noPullRequest === undefined ? [] : [`  no pull request: ${noPullRequest}`]),
    ...(refusal === undefined ? [] : [`  ${refusal}`]),
    ...feedback.flatMap(({ title }) =>
      wrap(`  no run was told this feedback: ${title}`, out.width),
    ),
    ...answers.flatMap(({ title }) =>
      wrap(`  no run was told your answer to: ${title}`, out.width),
    ),
    ...(feedback.length + answers.length > 0 ? next.map((it) => `  → ${it}`) : []),
  ];
}
