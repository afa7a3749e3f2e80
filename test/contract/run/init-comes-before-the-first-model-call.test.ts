import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';

contract(
  'a client killed at its init event has not asked the model anything',
  {},
  async (stage) => {
    // The client needs some 50 ms from one to the other; a busy machine may eat them. That it can be done once is enough.
    const asked: number[] = [];
    for (let i = 0; i < 20 && asked.at(-1) !== 0; i++) asked.push(await killAtInit(stage));
    expect(asked.at(-1)).toBe(0);
  },
);

/** How many turns were asked for. What was sent before the kill still arrives, so it is waited for. */
async function killAtInit(stage: Stage): Promise<number> {
  const { child, seen, ended, model } = await stage.start({ turns: [{ fault: { kind: 'hang' } }] });
  const init = await seen((it) => it.type === 'system' && it.subtype === 'init');
  child.kill('SIGKILL');
  expect(init.tools).toContain('TaskUpdate');
  expect((await ended).signal).toBe('SIGKILL');
  await sleep(200);
  return model.requests.filter(({ kind }) => kind === 'turn').length;
}
