import { execFile } from 'node:child_process';
import {
  closeSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCodeOf } from '@saga-ai/core/errors';

const run = promisify(execFile);

/** A real file system of a few pages, mounted on a folder; what is filled can be freed again. */
export class TinyDisk implements AsyncDisposable {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Leaves that many bytes, in whole pages of 4096. */
  fillBytes(left = 0): void {
    const handle = openSync(join(this.#folder, 'filler'), 'w');
    try {
      untilFull(() => writeSync(handle, Buffer.alloc(4096)));
    } finally {
      closeSync(handle);
    }
    for (let page = 0; page < left / 4096; page++) this.#cutFiller();
  }

  /** Uses up every file that may still be created; there is room inside the files there are. */
  fillNames(): void {
    let count = 0;
    untilFull(() => writeFileSync(join(this.#folder, `filler-${count++}`), ''));
  }

  free(): void {
    rmSync(join(this.#folder, 'filler'), { force: true });
    for (let i = 0; ; i++) {
      const file = join(this.#folder, `filler-${i}`);
      try {
        rmSync(file);
      } catch {
        // The one after the last: all are gone.
        return;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run('umount', ['--lazy', this.#folder]);
  }

  #cutFiller(): void {
    const file = join(this.#folder, 'filler');
    truncateSync(file, statSync(file).size - 4096);
  }
}

export async function mountTinyDisk(folder: string, size = '256k', names = 200): Promise<TinyDisk> {
  const options = `size=${size},nr_inodes=${names},mode=755`;
  try {
    await run('mount', ['-t', 'tmpfs', '-o', options, 'saga-test', folder]);
  } catch (cause) {
    const hint =
      'Only root can fill a disk: run the tests as root, or in `unshare --map-root-user --mount`.';
    throw new Error(`A tiny tmpfs cannot be mounted. ${hint}`, { cause });
  }
  return new TinyDisk(folder);
}

function untilFull(write: () => void): void {
  for (;;) {
    try {
      write();
    } catch (error) {
      if (errorCodeOf(error) === 'ENOSPC') return;
      throw error;
    }
  }
}
