import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGitHubProject } from '../../rig/github/github-project.ts';
import { expectFast } from '../measure/budget.ts';

const PULLS = 50;
/** All pauses are multiples of `followSeconds`, so a shorter one shows in a minute what else takes half an hour. */
const SECONDS = 2;
const USUAL_SECONDS = 60;
const PERIODS_AN_HOUR = 3600 / USUAL_SECONDS;
const QUESTIONS = 20;
/** GitHub allows 5000 requests an hour. */
const REQUESTS_AN_HOUR = 150;

test('following 50 pull requests for an hour needs at most 1 % of a core, and 150 requests', async () => {
  await using scene = await createGitHubProject();
  const { it, github } = scene;
  const stories = Array.from({ length: PULLS }, (_, i) => `story-${i + 1}`);
  const tip = it.git('rev-parse', 'main').trim();
  for (const [i, id] of stories.entries()) {
    const number = i + 1;
    it.story(id, { pr: `https://github.com/acme/widgets/pull/${number}` }, { one: {} });
    github.pulls.push({
      ...{ number, title: id, body: '', head: id, base: 'main', isDraft: false },
      ...{ state: 'OPEN', mergedHead: tip },
    });
  }
  const count = (operation: string) =>
    github.requests.filter((it) => it.operation === operation).length;
  const program = join(import.meta.dirname, '../worker/follow-many.ts');
  const follower = fork(program, [it.root, String(SECONDS), ...stories], {
    env: { ...it.env, ...github.environment },
  });
  const until = (isReached: () => boolean) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    follower.once('exit', () => reject(new Error('The follower ended too early.')));
    github.heed = () => {
      if (isReached()) resolve();
      return undefined;
    };
    return promise;
  };
  const readCpu = async () => {
    follower.send('');
    const [used] = (await once(follower, 'message')) as [number];
    return used;
  };
  try {
    // In the beginning, and then once an hour, each pull request is looked at as a whole.
    const start = await readCpu();
    await until(() => count('SagaFollow') >= PULLS);
    const looked = await readCpu();
    const before = { time: performance.now(), requests: github.requests.length };
    await until(() => github.requests.length >= before.requests + QUESTIONS);
    const periods = (performance.now() - before.time) / (SECONDS * 1000);
    const used = (await readCpu()) - looked;
    const requests = PULLS + (QUESTIONS / periods) * PERIODS_AN_HOUR;
    console.info(`${Math.round(requests)} requests an hour, at most ${REQUESTS_AN_HOUR}`);
    expect(count('SagaFollow')).toBe(PULLS);
    expect(requests).toBeLessThanOrEqual(REQUESTS_AN_HOUR);
    // In milliseconds of an hour: 1 % are 36,000.
    expectFast(looked - start + (used / periods) * PERIODS_AN_HOUR, 36_000);
  } finally {
    const ended = once(follower, 'exit');
    follower.disconnect();
    await ended;
  }
}, 300_000);
