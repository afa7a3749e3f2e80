import { loadConfig } from '@saga-ai/core/plan/config';
import { type VerifiedEvidence, verifyEvidence } from '@saga-ai/core/worker/gate/verify-evidence';
import type { VerifyJson } from '@saga-ai/types/screens/json/run';
import { adviseAfterGate } from '@saga-ai/types/words/advise-after-gate';
import type { Command } from '../../command.ts';
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

export const command: Command<VerifyJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.VerifyJson),
  args: [{ name: 'story', help: 'a story', required: true, complete: 'story' }],
  about: `Reads the evidence that the story's gate recorded and compares it with git, offline: the commits
exist, each check that git alone can decide gives the same result, and nothing was changed since. It also
says whose key signed the evidence. It does not run the verify command; saga gate does. The exit code is 3 if
the gate failed, something changed since, or the signature does not match.`,
  async run({ paths, out, args }) {
    const env = environment.variables();
    const storyId = args[0] ?? '';
    const { config } = loadConfig(paths(), { environment: env });
    const verified = await verifyEvidence(paths(), storyId, config.gate.protectedFiles, env);
    const { evidence, findings, holds } = verified;
    if (out.json) out.value({ story: storyId, holds, findings, evidence });
    else {
      const checks = findings.map(({ what, holds: fine, skipped, detail }) => {
        const outcome = fine ? (skipped ? 'skipped' : 'passed') : 'failed';
        return { name: what, outcome, detail } as const;
      });
      out.lines([
        ...formatChecks(checks, out),
        ...formatWarnings(evidence, out),
        ...formatVerifyEnd(evidence, out),
        formatVerdict(storyId, holds, describeVerdict(verified), out),
        ...advise(verified, describeWorktree(paths(), storyId), out.width),
      ]);
    }
    return holds ? 0 : 3;
  },
};

/** What to do now; no lines if the gate passed, was verified and still applies. */
function advise(
  { evidence, holds }: VerifiedEvidence,
  worktree: string | undefined,
  width: number,
): string[] {
  const { story, outcome, verify } = evidence;
  if (holds) return verify ? [] : UNVERIFIED_HINT;
  if (outcome === 'passed') return [`  → to check what is there now: saga gate ${story}`];
  const checks = listFailed(evidence);
  return formatAdvice(adviseAfterGate({ storyId: story, worktree, checks }), width);
}

function describeVerdict({ evidence, findings, holds }: VerifiedEvidence): string {
  if (holds) {
    return `gate passed${evidence.verify ? '' : ' (unverified)'}, nothing changed since`;
  }
  if (evidence.outcome === 'failed') return `gate failed: ${listFailed(evidence).join(', ')}`;
  const wrong = new Set(findings.filter((it) => !it.holds).map((it) => it.what));
  return `gate passed, but not for what is here now: ${[...wrong].join(', ')}`;
}

const listFailed = ({ checks }: VerifiedEvidence['evidence']) =>
  checks.filter((it) => it.outcome === 'failed').map((it) => it.name);
