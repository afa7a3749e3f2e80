import { homedir } from 'node:os';
import { agent } from '@saga-ai/core/agents/chosen';
import { messageOf, SagaError } from '@saga-ai/core/errors';
import { writePlan } from '@saga-ai/core/plan-text/write-plan';
import { shapePlan } from '@saga-ai/core/shaper/shape-plan';
import { toJsonSchema } from '@saga-ai/types/json-schema';
import type { Proposal, ProposalAnswer } from '@saga-ai/types/screens/planning';
import type { ActionContext } from '../actions/action-context.ts';
import { readProposalRequest } from './read-draft-request.ts';

/** The most steps that a page shows, the latest ones. A run may take hundreds. */
const MOST_STEPS = 50;

/**
 * Lets the Shaper propose an epic, only one at a time, because each costs money. The last proposal is kept in memory,
 * so that a page which was reloaded finds it again. Nothing is created here.
 */
export class Proposals {
  readonly #context: ActionContext;
  #current: Proposal | null = null;
  #stop = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(context: ActionContext) {
    this.#context = context;
  }

  find(): ProposalAnswer {
    return { proposal: this.#current };
  }

  start(body: unknown): ProposalAnswer {
    const { goal, maxUsd } = readProposalRequest(body);
    if (this.#current?.state === 'running') {
      throw new SagaError(
        'in-flight',
        'Claude Code is planning something already.',
        'Wait until it has ended, or stop it.',
      );
    }
    this.#stop = new AbortController();
    const proposal: Proposal = {
      ...{ number: (this.#current?.number ?? 0) + 1, goal, maxUsd },
      ...{ startedAt: new Date().toISOString(), endedAt: null, state: 'running' },
      ...{ steps: [], stepCount: 0, markdown: null, title: null, stories: 0 },
      ...{ advice: [], rounds: 0, costUsd: 0, error: null },
    };
    this.#current = proposal;
    this.#ended = this.#shape(proposal, this.#stop.signal);
    return this.find();
  }

  /** Ends a proposal that is under way. Resolves when its programs are gone. */
  async stop(): Promise<ProposalAnswer> {
    this.#stop.abort();
    await this.#ended;
    return this.find();
  }

  async #shape(proposal: Proposal, stop: AbortSignal): Promise<void> {
    const { paths, env } = this.#context;
    const { goal, maxUsd } = proposal;
    const step = (text: string) => {
      proposal.stepCount++;
      proposal.steps.push({ time: new Date().toISOString(), text });
      proposal.steps.splice(0, proposal.steps.length - MOST_STEPS);
    };
    step('reads the repository');
    try {
      const { draft, advice, rounds, costUsd } = await shapePlan({
        ...{ paths, env, goal, maxUsd, stop, onStep: step },
        agentHome: agent.findHome(env, env.HOME ?? homedir()).config,
        schema: toJsonSchema('epic-draft'),
      });
      Object.assign(proposal, { advice, rounds, costUsd, state: 'ready' });
      proposal.markdown = writePlan(draft);
      proposal.title = draft.title;
      proposal.stories = draft.stories.length;
    } catch (error) {
      proposal.state = stop.aborted ? 'stopped' : 'failed';
      const known = error instanceof SagaError ? error : { code: 'internal', hint: '' };
      const { code, hint } = known;
      proposal.error = { code, message: messageOf(error), hint };
    }
    proposal.endedAt = new Date().toISOString();
  }
}
