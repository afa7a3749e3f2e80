import { writeSync } from 'node:fs';

/**
 * Writes all of a text synchronously. Node's stream objects take milliseconds to create, which is too
 * much for a command that prints ten lines.
 */
export function writeAll(target: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(target, bytes, sent);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // The reader has closed the pipe, as in `saga list | head`.
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
