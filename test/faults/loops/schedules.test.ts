import { test } from 'vitest';
import { checkSchedules } from '../../rig/epic/check-schedules.ts';

test('ten thousand plans, with failures, help and kills', () => {
  checkSchedules(10_000);
});
