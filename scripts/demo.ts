import { spawn } from 'node:child_process';
import { findClient } from '../test/rig/client/client.ts';
import { ensureBuilt } from './build/ensure-built.ts';

ensureBuilt();
/** The demo of a fresh clone: the command of its sources, and the client that the set-up brought along. */
const { program } = findClient();
const saga = 'packages/cli/dist/saga.cjs';
const child = spawn(process.execPath, [saga, 'demo', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, SAGA_WORKER_CLAUDE_PATH: program },
});
// Ctrl-C reaches both; the demo cleans up, and then this ends as it did.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (name !== 'SIGINT') child.kill(name);
  });
}
child.on('close', (code) => process.exit(code ?? 1));
