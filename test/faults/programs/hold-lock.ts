import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from '@saga-ai/core/processes/lock';

/** Takes a lock and keeps it. */
const [path = ''] = process.argv.slice(2);
await withLock(path, async () => {
  writeSync(1, 'held\n');
  await sleep(600_000);
});
