import type { Git } from './git.ts';

/** Reads the contents of blobs, in order, with one git process. */
export async function readBlobs(git: Git, blobs: readonly string[]): Promise<string[]> {
  if (blobs.length === 0) return [];
  const input = blobs.map((blob) => `${blob}\n`).join('');
  const bytes = Buffer.from(await git.run(['cat-file', '--batch'], { input }));
  const texts: string[] = [];
  for (let at = 0; texts.length < blobs.length; ) {
    const end = bytes.indexOf(10, at);
    if (end === -1) break;
    const size = Number(/^\w+ blob (\d+)$/.exec(bytes.toString('latin1', at, end))?.[1] ?? 0);
    texts.push(bytes.toString('utf8', end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  // Bytes that are no UTF-8 were replaced by others, so the sizes say nothing about what came after them.
  if (!texts.some((it) => it.includes('\uFFFD'))) return texts;
  const alone: string[] = [];
  for (const blob of blobs) alone.push((await git.attempt(['cat-file', 'blob', blob])).stdout);
  return alone;
}
