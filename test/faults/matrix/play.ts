import { join } from 'node:path';
import type { Ended } from '../../rig/programs/run-program.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';
import { describeEnd, type Fault, NOTHING, type Played, type Scene } from './fault.ts';
import { findHarm, findLeft, listKinds, takeHeld } from './judge.ts';

const TASKS = { one: {}, two: { blockedBy: ['one'] } };

/** Lets a fault happen, runs the story again, and says what came of it. */
export async function play(fault: Fault): Promise<Played> {
  await using it = await createWorkshop(fault.workshop?.());
  using tmux = createTmuxServer();
  Object.assign(it.environment, tmux.environment);
  const scene: Scene = {
    it,
    tmux,
    worktree: join(it.worktrees, 'cart'),
    work: (...args) => it.saga(['worker', 'cart', ...args]),
  };
  writePlan(it, fault);
  const usual = await findUsual(fault.config?.worktree);
  await using stack = new AsyncDisposableStack();
  stack.use(asDisposable(await fault.prepare?.(scene)));
  const struck = await fault.strike(scene);
  const held = takeHeld(it);
  await fault.mend?.(scene);
  const next = fault.next === undefined ? undefined : await workOnAll(it, fault);
  const harm = await findHarm(it, held, { rewrites: fault.rewrites ?? false });
  for (const story of fault.others ?? []) {
    harm.push(...(await findHarm(it, takeHeld(it, story), { story })));
  }
  const left = await findLeft(it, tmux, usual, [...(fault.keeps ?? []), ...namesOf(fault)]);
  await fault.check?.(scene, struck);
  const row = {
    ends: describeEnd(struck),
    harm: harm.join('; ') || NOTHING,
    left: left.join('; ') || NOTHING,
    next: next ? describeEnd(next) : ('not needed' as const),
  };
  const ends = next ? [struck, next] : [struck];
  return {
    row,
    printed: ends.map(({ stdout, stderr }) => `${stdout}${stderr}`).join('--- next\n'),
  };
}

/** The next worker of each story; of several the one that ended worst. */
async function workOnAll(it: Workshop, { others = [] }: Fault): Promise<Ended | undefined> {
  const ends = await Promise.all(['cart', ...others].map((id) => it.saga(['worker', id])));
  return ends.toSorted((a, b) => Number(b.code) - Number(a.code))[0];
}

function writePlan(it: Workshop, { story, config, others = [] }: Partial<Fault>): void {
  it.story('cart', { verify: 'true', ...story?.(it) }, TASKS);
  for (const id of others) it.story(id, {}, { [id]: {} });
  if (config) it.write('.saga/config.json', config);
}

/** Other stories have the same things as cart. */
const namesOf = ({ others = [] }: Fault) => others.map((id) => new RegExp(`\\b${id}\\b`));

function asDisposable(it: unknown): Disposable | AsyncDisposable | undefined {
  const isOne =
    typeof it === 'object' && it !== null && (Symbol.dispose in it || Symbol.asyncDispose in it);
  return isOne ? (it as Disposable) : undefined;
}

const usual = new Map<string, Promise<ReadonlySet<string>>>();

/** What lies around after a story that nothing disturbed. Found out once in a test file for each setup. */
function findUsual(worktree: object = {}): Promise<ReadonlySet<string>> {
  const key = JSON.stringify(worktree);
  const known = usual.get(key) ?? lookAtUndisturbed(worktree);
  usual.set(key, known);
  return known;
}

async function lookAtUndisturbed(worktree: object): Promise<ReadonlySet<string>> {
  await using it = await createWorkshop();
  writePlan(it, { config: { worktree } });
  const { code, stdout, stderr } = await it.saga(['worker', 'cart']);
  if (code !== 0) throw new Error(`An undisturbed worker ended with ${code}.\n${stdout}${stderr}`);
  return listKinds(it);
}
