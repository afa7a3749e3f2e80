import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { childTimeMs } from './child-time.ts';

/** Notes for `npm run test:cost` what a file of tests took: time, processor time, and that of the programs it started. */
const { SAGA_COST } = process.env;
if (SAGA_COST !== undefined) {
  const [started, own, programs] = [performance.now(), process.cpuUsage(), childTimeMs()];
  afterAll(() => {
    const { user, system } = process.cpuUsage(own);
    const cost = {
      file: expect.getState().testPath,
      ms: performance.now() - started,
      ownMs: (user + system) / 1000,
      programsMs: childTimeMs() - programs,
    };
    appendFileSync(SAGA_COST, `${JSON.stringify(cost)}\n`);
  });
}
