import { watch } from 'node:fs';
import { runProgram } from '../../processes/run.ts';

/**
 * Says whether the system would give us an inotify instance, and has one more in case another program
 * takes one in the meantime. A user has 128 of them for all programs. It must be asked before
 * `@parcel/watcher` starts, which waits for ever on the main thread where it gets none.
 *
 * Each event loop has an instance of its own, so another process tries it with two loops. Threads of
 * this process would do as well, but their memory stays with us: 14 MB.
 */
export async function hasSpareInotify(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  takeOwn();
  try {
    const options = { cwd: '/', env: {}, timeoutMs: LONGEST_MS, maxOutput: 1024 };
    return (await runProgram(process.execPath, ['-e', TRY], options)).code === 0;
  } catch {
    // A machine that cannot start a process is short of everything.
    return false;
  }
}

const LONGEST_MS = 10_000;

/** A system without free watches is another matter: there `@parcel/watcher` throws, and that is caught. */
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

/** The loop of this thread keeps its instance once it has one: it must not take what was found to be spare. */
function takeOwn(): void {
  try {
    watch('/').close();
  } catch {
    // There is none, or no free watch: the other process finds out which.
  }
}
