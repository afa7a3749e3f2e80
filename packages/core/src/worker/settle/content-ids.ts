import { createHash } from 'node:crypto';
import { type BigIntStats, readFileSync } from 'node:fs';

interface Known {
  stamp: string;
  ids: readonly string[];
}

/**
 * What git would call the content of files of the plan. A worker looks at all of them after every run; a
 * file is read again only if the system says that it may be another.
 *
 * This is safe because of what is compared, and with what:
 * - With what this worker saw itself, in memory. Git's index would be faster, but a run can write it.
 * - Device, inode, size and change time. A run can set the modification time back, not the change time:
 *   every write, rename, link and change of mode or owner sets it, and no call takes it as an argument.
 * - A file is remembered only once its last change is older than a tick of the file system's clock, so a
 *   write that follows carries another time.
 * - The files of the worker's own story are read every time. They are what it reads and acts on. A change
 *   elsewhere that leaves the change time alone (a mapped file in memory on tmpfs) stays on this disk: git
 *   does not see it either, so it is never committed.
 */
export class ContentIds {
  readonly #own: string;
  readonly #known = new Map<string, Known>();
  /** How many files were read so far. */
  reads = 0;

  constructor(storyId: string) {
    this.#own = `.saga/stories/${storyId}/`;
  }

  /** Whether a file holds what git calls `id`. `path` is below the project, `file` absolute. */
  isSame(path: string, file: string, stats: BigIntStats, id: string): boolean {
    const { dev, ino, size, ctimeNs } = stats;
    const stamp = `${dev} ${ino} ${size} ${ctimeNs}`;
    const known = this.#known.get(path);
    if (known?.stamp === stamp && known.ids[0]?.length === id.length) return known.ids.includes(id);
    const now = BigInt(Date.now()) * 1_000_000n;
    const ids = readIds(file, id.length);
    this.reads++;
    const isTrusted = !path.startsWith(this.#own) && now - ctimeNs > tickOf(ctimeNs);
    if (isTrusted) this.#known.set(path, { stamp, ids });
    else this.#known.delete(path);
    return ids.includes(id);
  }
}

/** In nanoseconds. Most file systems tick in milliseconds, some only in seconds. */
function tickOf(time: bigint): bigint {
  return time % 1_000_000_000n === 0n ? 2_500_000_000n : 50_000_000n;
}

/** Of the content as it is, and with the line ends that git stores: it may have been told to write others. */
function readIds(file: string, length: number): string[] {
  const content = readFileSync(file);
  const ids = [hashBlob(content, length)];
  const text = content.toString('latin1').replaceAll('\r\n', '\n');
  if (text.length < content.length) ids.push(hashBlob(Buffer.from(text, 'latin1'), length));
  return ids;
}

export function hashBlob(content: Buffer, idLength: number): string {
  const hash = createHash(idLength === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex');
}
