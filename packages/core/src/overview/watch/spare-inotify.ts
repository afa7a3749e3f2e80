import { watch } from 'node:fs';
import { runProgram } from '../../processes/run.ts';

/**
 * Whether the system has two free inotify instances: one for this process, and one in case another
 * program takes one meanwhile. A user has 128 for all programs. Call it before `@parcel/watcher`
 * starts, which blocks the main thread forever if it gets none.
 *
 * Each event loop has its own instance, so another process tries it with two loops. Threads of this
 * process would work too, but they would keep 14 MB of memory.
 */
export async function hasSpareInotify(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  takeOwn();
  try {
    const options = { cwd: '/', env: {}, timeoutMs: LONGEST_MS, maxOutput: 1024 };
    return (await runProgram(process.execPath, ['-e', TRY], options)).code === 0;
  } catch {
    // A machine that cannot start a process has no free resources at all.
    return false;
  }
}

const LONGEST_MS = 10_000;

/**
 * If the system has no free watches, that is no problem here: `@parcel/watcher` throws, and the error
 * is caught.
 */
const WATCH = `
  try {
    require('node:fs').watch('/');
  } catch (error) {
    if (error.code === 'EMFILE') process.exit(1);
  }
`;
const TRY = `
  ${WATCH}
  const { Worker } = require('node:worker_threads');
  const other = new Worker(${JSON.stringify(`${WATCH} process.exit(0);`)}, { eval: true });
  other.on('exit', (code) => process.exit(code));
`;

/**
 * Makes this thread's event loop take its own instance first, so that it does not take the one that
 * was found free.
 */
function takeOwn(): void {
  try {
    watch('/').close();
  } catch {
    // There is no free instance or no free watch: the other process finds out which.
  }
}
