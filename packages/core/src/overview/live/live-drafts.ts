import { statSync } from 'node:fs';
import { join } from 'node:path';
import { listFolder } from '../../files/list-folder.ts';
import { draftsFolder, type Paths } from '../../project/paths.ts';

/** Notices that drafts came, went or were decided about. */
export class LiveDrafts {
  readonly #paths: Paths;
  #stamp: string;

  constructor(paths: Paths) {
    this.#paths = paths;
    this.#stamp = this.#read();
  }

  /** Whether the drafts have changed since the last call. */
  hasChanged(): boolean {
    const before = this.#stamp;
    this.#stamp = this.#read();
    return this.#stamp !== before;
  }

  /**
   * Returns a text that differs after every change. A changed draft is a new file in the place of the old one, so its
   * inode is different.
   */
  #read(): string {
    const folder = draftsFolder(this.#paths);
    return listFolder(this.#paths.root, folder)
      .filter((name) => !name.startsWith('.'))
      .map((name) => {
        const found = statSync(join(folder, name), { throwIfNoEntry: false, bigint: true });
        return `${name} ${found?.ino} ${found?.mtimeNs}`;
      })
      .toSorted()
      .join('\n');
  }
}
