import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createShop, endedSession } from '../../rig/project/shop.ts';

test('a list that leaves sessions out says how many, for people and for programs', async () => {
  using plan = createShop();
  for (let at = 1; at <= 23; at++) {
    plan.write(`.git/saga/runs/sessions/saga-story-pay-${at}.json`, endedSession(at));
  }
  const saga = async (...args: string[]) =>
    (await runProgram(SAGA, ['sessions', ...args], { cwd: plan.root })).stdout;
  const json = async (...args: string[]) => {
    const { sessions, omitted } = JSON.parse(await saga('--json', ...args));
    return { listed: sessions.length, first: sessions[0].session, omitted };
  };
  const first = 'saga-story-pay-23';
  expect(await json()).toEqual({ listed: 20, first, omitted: 3 });
  expect(await json('--all')).toEqual({ listed: 23, first, omitted: 0 });
  expect(await saga()).toMatch(/\n… 3 older: saga sessions --all\n$/);
  expect(await saga('--all')).not.toContain('older');
});
