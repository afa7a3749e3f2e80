import { loadConfig } from '@saga-ai/core/plan/config';
import { verifyEvidence } from '@saga-ai/core/worker/gate/verify-evidence';
import type { VerifyJson } from '@saga-ai/types/screens/json/run';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { formatRows } from '../../output/rows.ts';

export const command: Command<VerifyJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.VerifyJson),
  args: [{ name: 'story', help: 'a story', required: true, complete: 'story' }],
  about: `Looks at the evidence of the story's gate again, offline and from git alone: the commits are
there, what was found about them is so, and nothing was changed since. Exit code 3 when it does not hold.`,
  async run({ paths, out, args }) {
    const env = environment.variables();
    const storyId = args[0] ?? '';
    const { config } = loadConfig(paths(), { environment: env });
    const { evidence, findings, holds } = await verifyEvidence(
      paths(),
      storyId,
      config.gate.protectedFiles,
      env,
    );
    if (out.json) out.value({ story: storyId, holds, findings, evidence });
    else {
      const rows = findings.map(({ what, holds: fine, detail }) => [
        { text: fine ? '✓' : '✗', tone: fine ? ('done' as const) : ('needs-you' as const) },
        { text: what },
        { text: detail, flexible: true },
      ]);
      const verdict = holds ? 'the evidence holds' : 'the evidence does not hold';
      out.lines([
        ...formatRows(rows, out),
        out.paint(holds ? 'done' : 'needs-you', `${storyId}: ${verdict}`),
      ]);
    }
    return holds ? 0 : 3;
  },
};
