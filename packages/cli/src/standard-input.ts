import { readFileSync, readSync } from 'node:fs';
import { messageOf, SagaError } from '@saga-ai/core/errors';

/** Reads all of standard input. If the writer of a pipe is slow (EAGAIN), this waits and tries again. */
export function readStandardInput(): string {
  const chunks: Buffer[] = [];
  const buffer = Buffer.alloc(65536);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      const count = readSync(0, buffer);
      if (count === 0) return Buffer.concat(chunks).toString('utf8');
      chunks.push(Buffer.from(buffer.subarray(0, count)));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return Buffer.concat(chunks).toString('utf8');
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

/** Reads a file that the person named; `-` is standard input. */
export function readInput(file: string): string {
  try {
    return file === '-' ? readStandardInput() : readFileSync(file, 'utf8');
  } catch (error) {
    throw new SagaError(
      'unreadable-file',
      `${file} cannot be read (${messageOf(error)}).`,
      'Check the path.',
    );
  }
}
