import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { openSessionLog } from './session-log.ts';

test('a listener that throws is told of once, and neither the teller nor the others notice', () => {
  using folder = createTempFolder();
  const file = join(folder.path, 'out.jsonl');
  const heard: string[] = [];
  const fail = () => {
    throw new Error('no story');
  };
  {
    using log = openSessionLog(file, fail, (event: RunEvent) => heard.push(event.type));
    log.emit('gate:start', {});
    log.emit('limit:waited', {});
  }
  expect(heard).toEqual(['listener:failed', 'gate:start', 'limit:waited']);
  const written = readFileSync(file, 'utf8').trim().split('\n');
  expect(written.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'gate:start' },
    { type: 'listener:failed', reason: 'no story' },
    { type: 'limit:waited' },
  ]);
});
