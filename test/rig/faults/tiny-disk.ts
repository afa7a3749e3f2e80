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
import { errorCodeOf } from '@saga-ai/core/errors';

/** A real file system of a few pages, which can be filled and freed again. */
export class TinyDisk {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Fills the disk, except for so many bytes, in whole pages of 4096. */
  fillBytes(left = 0): void {
    const handle = openSync(join(this.#folder, 'filler'), 'w');
    try {
      untilFull(() => writeSync(handle, Buffer.alloc(4096)));
    } finally {
      closeSync(handle);
    }
    for (let page = 0; page < left / 4096; page++) this.#cutFiller();
  }

  /** Creates files until no more can be created. Existing files can still grow. */
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
        // This file is one too many: the disk allows no more.
        return;
      }
    }
  }

  #cutFiller(): void {
    const file = join(this.#folder, 'filler');
    truncateSync(file, statSync(file).size - 4096);
  }
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
