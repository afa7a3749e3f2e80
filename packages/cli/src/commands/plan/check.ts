import { checkProject } from '@saga-ai/core/authoring/check';
import { SagaError } from '@saga-ai/core/errors';
import { loadRefs } from '@saga-ai/core/git/branches';
import { deriveBase } from '@saga-ai/core/git/find-base';
import { openPlainGit } from '@saga-ai/core/git/plain-git';
import { lintPlan } from '@saga-ai/core/lint/lint-plan';
import { loadLinted } from '@saga-ai/core/lint/load-linted';
import { FORMATS, findOldPlans, type OldPlan } from '@saga-ai/core/migrate/formats';
import { loadConfig } from '@saga-ai/core/plan/config';
import type { Paths } from '@saga-ai/core/project/paths';
import type { Advice } from '@saga-ai/types/plan/advice';
import type { CheckJson } from '@saga-ai/types/screens/json/plan';
import { count } from '@saga-ai/types/words/amounts';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { formatAdviceOnPlan } from '../../output/findings.ts';
import { settleTrust, TRUST_OPTION } from '../../trust/settle-trust.ts';

export const command: Command<CheckJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.CheckJson),
  about: `Reads every file in .saga again, without the index. The exit code is 1 if there is a problem.

With --plan it also gives advice on the plan: stories that do not say when they are done, no verify command,
stories that may run together and write the same files, stories and tasks that are too large, tasks that nobody
could check, an order that is not needed. Advice does not change the exit code.

With --try, each verify command is also run once on the base: a clone in a temporary folder, set up by
worktree.setup, outside of the sandbox. A command that fails there would fail every gate.`,
  options: {
    plan: { type: 'boolean', help: 'give advice on the plan too' },
    try: { type: 'boolean', help: 'with --plan: run each verify command on the base' },
    ...TRUST_OPTION,
  },
  examples: ['saga check', 'saga check --plan', 'saga check --plan --try'],
  async run(invocation) {
    const { paths, out, flag } = invocation;
    if (flag('try') && !flag('plan')) {
      throw new SagaError('usage', '--try needs --plan.', 'saga check --plan --try');
    }
    const { problems, stories, epics } = await checkProject(paths(), environment.handedOver());
    const advice = flag('plan') ? await advise(invocation, paths()) : undefined;
    const oldPlans = findOldPlans(paths());
    const code = problems.length > 0 ? 1 : 0;
    if (out.json) {
      out.value({ problems, stories, epics, advice, oldPlans });
      return code;
    }
    out.problems(problems);
    const counted = `${count(stories, 'story', 'stories')}, ${count(epics, 'epic', 'epics')}`;
    out.lines([
      ...(advice && advice.length > 0 ? [...formatAdviceOnPlan(advice, out), ''] : []),
      ...oldPlans.map(describeOldPlan),
      code === 0
        ? `${out.paint('done', '✓')} ${counted}, no problems${describeAdvice(advice)}`
        : `${count(problems.length, 'problem', 'problems')} in ${counted}${describeAdvice(advice)}`,
    ]);
    return code;
  },
};

function describeOldPlan({ format, files }: OldPlan): string {
  const [first = ''] = files;
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return `Also here: ${FORMATS[format]} (${first}${more}). Take them over: saga migrate ${format}`;
}

function describeAdvice(advice: readonly Advice[] | undefined): string {
  if (!advice) return '';
  return advice.length === 0 ? ', no advice' : `, ${count(advice.length, 'piece')} of advice`;
}

async function advise({ out, flag }: Invocation<CheckJson>, paths: Paths): Promise<Advice[]> {
  const plan = loadLinted(paths, environment.handedOver());
  const advice = lintPlan(plan);
  if (!flag('try')) return advice;
  const storyIds = plan.stories.map(({ story }) => story.id);
  const around = environment.handedOver();
  const env = await settleTrust({ paths, storyIds, env: around, out, isGiven: flag('trust') });
  const { config } = loadConfig(paths, { environment: env });
  const git = openPlainGit(paths.root, env);
  const base = deriveBase(await loadRefs(git), config.worktree.baseBranch ?? undefined);
  const { tryVerify } = await import('@saga-ai/core/lint/try-verify');
  const failing = await tryVerify(plan, {
    ...{ root: paths.root, env, setup: config.worktree.setup },
    commit: base?.commit ?? (await git.run(['rev-parse', 'HEAD'])),
    timeoutMs: config.gate.timeout * 60_000,
    stop: environment.stopSignal(),
  });
  return [...advice, ...failing];
}
