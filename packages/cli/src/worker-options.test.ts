import { RUN_SETTINGS } from '@saga-ai/core/fleet/agent/require-sound';
import { expect, test } from 'vitest';
import { readWorkerFlags } from './worker-options.ts';

test('a machine of a fleet accepts exactly the settings that options of saga run override', () => {
  const all = readWorkerFlags({ text: () => '1', flag: () => true });
  expect(Object.keys(all).sort()).toEqual([...RUN_SETTINGS].sort());
});
