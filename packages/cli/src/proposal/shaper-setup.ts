import { SagaError } from '@saga-ai/core/errors';
import { openPlainGit } from '@saga-ai/core/git/plain-git';
import type { ShaperSetup } from '@saga-ai/core/shaper/ask-shaper';
import { USUAL_USD } from '@saga-ai/core/shaper/usual-limit';
import { keepFiles } from '@saga-ai/core/trash/keep-files';
import type { PlanJson } from '@saga-ai/types/screens/json/plan';
import type { Invocation } from '../command.ts';
import { environment } from '../environment.ts';
import { createPassingLine } from '../output/passing-line.ts';

/** Asks a Shaper. Until the Shaper answers, shows on the terminal what it does. */
export async function withShaper<T>(
  invocation: Invocation<PlanJson>,
  ask: (setup: ShaperSetup) => Promise<T>,
): Promise<T> {
  const { paths, out } = invocation;
  const setup = {
    ...{ paths: paths(), env: environment.handedOver(), maxUsd: readLimit(invocation) },
    ...{ agentHome: environment.claudeConfig(), stop: environment.stopSignal() },
  };
  using passing = createPassingLine(out);
  passing.show('Claude Code reads the repository');
  return await ask({ ...setup, onStep: (text) => passing.show(text) });
}

/** Puts tasks that a proposal removes into the trash. */
export const keepTasksOf =
  ({ paths }: Invocation<PlanJson>, name: string) =>
  async (removed: readonly { from: string; path: string }[]): Promise<void> => {
    if (removed.length === 0) return;
    const git = openPlainGit(paths().root, environment.handedOver());
    await keepFiles(git, { kind: 'edit', name }, removed, `Tasks removed from ${name}`);
  };

function readLimit({ text }: Invocation<PlanJson>): number {
  const given = text('max-usd');
  const limit = given === undefined ? USUAL_USD : Number(given);
  if (limit > 0 && Number.isFinite(limit)) return limit;
  throw new SagaError('usage', `--max-usd ${given} is not an amount.`, 'Such as --max-usd 2.50');
}
