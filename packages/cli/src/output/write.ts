import { writeSync } from 'node:fs';

/**
 * Writes all of a text at once. The stream objects of the process cost milliseconds to set up,
 * which a command that prints ten lines would notice.
 */
export function writeAll(target: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(target, bytes, sent);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // The reader went away, as in `saga list | head`: there is nobody left to tell.
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
