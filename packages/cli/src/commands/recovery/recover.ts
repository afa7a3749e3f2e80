import { SagaError } from '@saga-ai/core/errors';
import { findRecoveryFacts } from '@saga-ai/core/recovery/find-recovery-facts';
import { planRecovery } from '@saga-ai/core/recovery/plan';
import type { RecoverJson } from '@saga-ai/types/screens/json/recovery';
import { YES_OPTION } from '../../ask-first.ts';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { TRUST_OPTION } from '../../trust/settle-trust.ts';
import { formatPlan } from './format-plan.ts';
import { viewPlan } from './view-plan.ts';

export const command: Command<RecoverJson> = {
  output: () => import('@saga-ai/types/screens/json/recovery').then((it) => it.RecoverJson),
  options: {
    resume: { type: 'text', value: 'STORY', help: 'go on with this story, or with this epic' },
    'resume-all': { type: 'boolean', help: 'go on with everything that can go on' },
    discard: {
      type: 'text',
      value: 'STORY',
      help: 'put worktree and branch of this story into the trash',
    },
    ...YES_OPTION,
    ...TRUST_OPTION,
  },
  about: `Says what was in flight when workers ended without finishing: after a crash, a restart, a kill or a stop.
For each story it names the worktree, what is not committed or not pushed, the task that was under way, and what
would happen next, with the evidence for it. Below that it lists orphans: worktrees, branches, locks, sessions,
processes and task lists that belong to nothing, each with a remedy.

Without an option it only looks: it changes nothing, fetches nothing and costs no tokens. Nothing is resumed by
itself. --discard saves commits, uncommitted and new files in the trash before it removes anything; ignored files
are not saved. saga trash restore brings the story back.`,
  examples: [
    'saga recover',
    'saga recover --resume cart-api',
    'saga recover --resume-all --yes',
    'saga recover --discard old-spike',
  ],
  async run(invocation) {
    const { paths, out, text, flag } = invocation;
    const [resume, discard] = [text('resume'), text('discard')];
    if ([resume, discard, flag('resume-all') || undefined].filter(Boolean).length > 1) {
      throw new SagaError(
        'usage',
        '--resume, --resume-all and --discard cannot be combined.',
        'Use one of these options at a time.',
      );
    }
    const env = environment.handedOver();
    const facts = await findRecoveryFacts(paths(), env, environment.claudeConfig(env));
    const plan = planRecovery(facts);
    // The code of an action is loaded only if the person asks for the action.
    if (discard !== undefined) {
      return (await import('./discard-one.ts')).discardOne(invocation, facts, plan, discard);
    }
    if (resume !== undefined || flag('resume-all')) {
      return (await import('./resume.ts')).resumeItems(invocation, facts, plan, resume);
    }
    if (out.json) return void out.value(viewPlan(plan, facts.problems));
    out.problems(facts.problems);
    out.lines(formatPlan(plan, paths(), out));
    return 0;
  },
};
