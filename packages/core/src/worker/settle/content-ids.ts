import { createHash } from 'node:crypto';
import { type BigIntStats, readFileSync } from 'node:fs';
import { isInStory } from '@saga-ai/types/plan/plan-paths';

interface Known {
  stamp: string;
  ids: readonly string[];
}

/**
 * Computes the git ids of the plan's files. A worker checks all of them after every run, and reads a
 * file again only if the file may have changed.
 *
 * This is safe because of what is compared, and with what:
 * - A file is compared with what this worker saw itself and keeps in memory. Git's index would be
 *   faster, but a run can write it.
 * - The comparison uses device, inode, size and change time. A run can set the modification time back,
 *   but not the change time: every write, rename, link and change of mode or owner sets it, and no
 *   call takes it as an argument.
 * - A file is remembered only once its last change is older than a tick of the file system's clock, so
 *   a later write gets another time.
 * - The files of the worker's own story are read every time, because the worker acts on them. A change
 *   to another file that leaves the change time alone (memory-mapped on tmpfs) stays on this disk: git
 *   does not see it either, so it is never committed.
 */
export class ContentIds {
  readonly #story: string;
  readonly #known = new Map<string, Known>();
  /** How many files were read so far. */
  reads = 0;

  constructor(storyId: string) {
    this.#story = storyId;
  }

  /**
   * Whether the content of a file has the git id `id`. `path` is relative to the project, `file` is
   * absolute.
   */
  isSame(path: string, file: string, stats: BigIntStats, id: string): boolean {
    const { dev, ino, size, ctimeNs } = stats;
    const stamp = `${dev} ${ino} ${size} ${ctimeNs}`;
    const known = this.#known.get(path);
    if (known?.stamp === stamp && known.ids[0]?.length === id.length) return known.ids.includes(id);
    const now = BigInt(Date.now()) * 1_000_000n;
    const ids = readIds(file, id.length);
    this.reads++;
    const isTrusted = !isInStory(path, this.#story) && now - ctimeNs > tickOf(ctimeNs);
    if (isTrusted) this.#known.set(path, { stamp, ids });
    else this.#known.delete(path);
    return ids.includes(id);
  }
}

/** The clock tick of the file system, in nanoseconds. Most tick in milliseconds, some only in seconds. */
function tickOf(time: bigint): bigint {
  return time % 1_000_000_000n === 0n ? 2_500_000_000n : 50_000_000n;
}

/**
 * Returns the ids of the content as it is and with the line ends that git stores: git may be
 * configured to check out others.
 */
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
