import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { agent } from '@saga-ai/core/agents/chosen';
import { messageOf, SagaError } from '@saga-ai/core/errors';
import type { LandWish } from '@saga-ai/core/landing/context';
import { type Landed, land } from '@saga-ai/core/landing/land';
import { orderLanding } from '@saga-ai/core/landing/land-order';
import { listLandedStories } from '@saga-ai/core/landing/landed-stories';
import { loadItem } from '@saga-ai/core/plan/resolve';
import { requireTrust } from '@saga-ai/core/trust/require-trust';
import type { LandingView, LandPlan } from '@saga-ai/types/screens/review/review';
import type { ActionContext } from '../actions/action-context.ts';

type Kind = 'story' | 'epic';

interface Item {
  view: LandingView;
  stop: AbortController;
}

/** How long the page waits for the checks of a pull request. */
const WAIT_MS = 60 * 60_000;

/**
 * Landings that were begun from a page. First SAGA finds out what would happen, and changes nothing. Then the person
 * agrees to exactly that, and the landing goes on in the background.
 */
export class Landings {
  readonly #action: ActionContext;
  readonly #onChange: (kind: Kind, id: string) => void;
  readonly #items = new Map<string, Item>();

  constructor(action: ActionContext, onChange: (kind: Kind, id: string) => void) {
    this.#action = action;
    this.#onChange = onChange;
  }

  find(id: string): LandingView | null {
    return this.#items.get(id)?.view ?? null;
  }

  /** Says what a landing would do, or why it is refused. */
  async look(id: string): Promise<LandingView> {
    const item = this.#begin(id, 'looking');
    let plan: LandPlan | undefined;
    try {
      const landed = await this.#carryOut(id, item, {
        // The person is asked on the page. Until then nothing may change, so this attempt ends here.
        confirm: async (found) => {
          plan = found;
          return false;
        },
        isKept: true,
      });
      this.#change(id, item, { state: 'landed', message: describeLanded(id, landed) });
    } catch (error) {
      if (plan) this.#change(id, item, { state: 'asks', plan });
      else this.#refuse(id, item, error);
    }
    return item.view;
  }

  /** Begins to land what the person agreed to: this very commit, in this way. */
  agree(id: string, agreed: unknown): LandingView {
    const plan = this.find(id)?.plan;
    const { tip } = (agreed ?? {}) as { tip?: unknown };
    if (!plan || plan.tip !== tip) throw notAgreed(id);
    const item = this.#begin(id, 'landing', plan);
    void this.#land(id, item, plan);
    return item.view;
  }

  /** Stops waiting for checks. If GitHub was already told to merge by itself, that stays. */
  stop(id: string): void {
    this.#items.get(id)?.stop.abort('the person stopped it on the page');
  }

  /** Ends all landings when the server ends. */
  close(): void {
    for (const { stop } of this.#items.values()) stop.abort('the dashboard ended');
  }

  async #land(id: string, item: Item, plan: LandPlan): Promise<void> {
    try {
      const landed = await this.#carryOut(id, item, {
        confirm: async (found) => {
          if (JSON.stringify(found) === JSON.stringify(plan)) return true;
          throw notAgreed(id);
        },
        isKept: false,
      });
      this.#change(id, item, { state: 'landed', message: describeLanded(id, landed) });
    } catch (error) {
      this.#refuse(id, item, error);
    }
  }

  async #carryOut(
    id: string,
    item: Item,
    decided: Pick<LandWish, 'confirm' | 'isKept'>,
  ): Promise<Landed> {
    const { paths, env, userId } = this.#action;
    const { kind } = loadItem(paths, id);
    requireTrust(paths, listLandedStories(paths, kind, id), env);
    const stop = item.stop.signal;
    const wish: LandWish = {
      ...decided,
      isLocal: false,
      waitMs: WAIT_MS,
      tell: (text) => this.#change(id, item, { told: [...item.view.told, text] }),
      pause: (ms) => sleep(ms, undefined, { signal: stop }),
    };
    const agentHome = agent.findHome(env, env.HOME ?? homedir());
    const isRoot = userId === 0;
    return land(orderLanding(id, { paths, kind, env, agentHome, stop, isRoot, wish }));
  }

  #begin(id: string, state: LandingView['state'], plan?: LandPlan): Item {
    const known = this.find(id)?.state;
    if (known === 'landing' || known === 'looking') {
      throw new SagaError('lock-held', `${id} is being landed.`, 'Wait for its end.');
    }
    const view: LandingView = { state, told: [], plan };
    const item = { view, stop: new AbortController() };
    this.#items.set(id, item);
    this.#publish(id);
    return item;
  }

  #refuse(id: string, item: Item, error: unknown): void {
    const isStopped = item.stop.signal.aborted;
    const message = isStopped ? `${id} was not merged: you stopped it.` : messageOf(error);
    const hint = error instanceof SagaError && !isStopped ? error.hint : '';
    this.#change(id, item, { state: 'refused', message, hint });
  }

  #change(id: string, item: Item, more: Partial<LandingView>): void {
    item.view = { ...item.view, ...more };
    if (this.#items.get(id) === item) this.#publish(id);
  }

  #publish(id: string): void {
    try {
      this.#onChange(loadItem(this.#action.paths, id).kind, id);
    } catch {
      // An item that is gone has no page to tell.
    }
  }
}

const notAgreed = (id: string) =>
  new SagaError(
    'not-landed',
    `${id} was not merged: what would be merged is not what you looked at.`,
    'Look at the diff again, then land it.',
  );

function describeLanded(id: string, landed: Landed): string {
  const { result, base, commit, pullRequest, forwarded, tidied, verified } = landed;
  if (result === 'later') {
    return `GitHub merges #${pullRequest?.number} as soon as its rules allow it. Then land ${id} again, to tidy up.`;
  }
  const what = result === 'already' ? 'was merged before' : 'is merged';
  const by = pullRequest ? ` by #${pullRequest.number}` : '';
  return [
    `${id} ${what} into ${base}${by} (${commit.slice(0, 12)}).`,
    ...(verified === 'verify' ? ['The merged files were verified again.'] : []),
    ...(forwarded?.kind === 'left'
      ? [
          `${base} stays as it was here: ${forwarded.why}. To bring it up to date: ${forwarded.command}`,
        ]
      : []),
    ...(tidied?.left ?? []).map((why) => `Stays: ${why}`),
  ].join(' ');
}
