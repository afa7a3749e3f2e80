import { utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { sessionRecordFile } from '../project/paths.ts';
import { findDeath } from './find-death.ts';

test('a session that wrote no end died when its record was last written', () => {
  using plan = createPlan();
  const session = 'saga-story-api-1700000000000';
  plan.write(`.git/saga/runs/sessions/${session}.json`, {});
  const at = new Date('2026-03-04T05:06:07.000Z');
  utimesSync(sessionRecordFile(plan.paths, session), at, at);
  expect(findDeath(plan.paths, session)).toBe('2026-03-04T05:06:07.000Z');
});

test('nobody knows when a session died whose record is gone', () => {
  using plan = createPlan();
  expect(findDeath(plan.paths, 'saga-story-api-1700000000000')).toBeUndefined();
});
