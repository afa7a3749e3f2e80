import { basename } from 'node:path';
import { storyPath } from '@saga-ai/types/plan/plan-paths';
import type { Git } from '../../git/git.ts';
import { readBlobs } from '../../git/read-blobs.ts';
import { digestPlan, isPlanFile } from '../../plan/plan-digest.ts';

/**
 * Whether a story's branch has had this plan at any time since it left the branch of the main checkout.
 * If so, the copy in the main checkout is only older; if not, somebody edited it.
 */
export async function hasHadPlan(
  git: Git,
  storyId: string,
  tip: string,
  digest: string,
): Promise<boolean> {
  const trees = await listVersions(git, storyId, tip);
  const versions = await listFiles(git, trees);
  const blobs = [...new Set(versions.flatMap((files) => [...files.values()]))];
  const texts = await readBlobs(git, blobs);
  const textOf = new Map(blobs.map((blob, index) => [blob, texts[index] ?? '']));
  return versions.some((files) => {
    const named = Array.from(files, ([name, blob]) => [name, textOf.get(blob) ?? ''] as const);
    return digestPlan(new Map(named)) === digest;
  });
}

/** Lists the trees that the story's folder has had: where the branches parted, and since then. */
async function listVersions(git: Git, storyId: string, tip: string): Promise<string[]> {
  const path = storyPath(storyId);
  const parted = await git.attempt(['merge-base', 'HEAD', tip]);
  const start = parted.code === 0 ? [parted.stdout.trim()] : [];
  const range = [tip, ...start.map((it) => `^${it}`)];
  const since = await git.run(['rev-list', ...range, '--', path]);
  const commits = [...start, ...since.split('\n').filter(Boolean)];
  const input = commits.map((commit) => `${commit}:${path}\n`).join('');
  const printed = await git.run(['cat-file', '--batch-check=%(objecttype) %(objectname)'], {
    input,
  });
  const trees = printed.split('\n').flatMap((line) => /^tree (\w+)$/.exec(line)?.[1] ?? []);
  return [...new Set(trees)];
}

/** Lists the plan files of each tree: name to blob. One git process for all, by comparing with nothing. */
async function listFiles(git: Git, trees: readonly string[]): Promise<Map<string, string>[]> {
  if (trees.length === 0) return [];
  const empty = await git.run(['hash-object', '-t', 'tree', '--stdin']);
  const input = trees.map((tree) => `${empty} ${tree}\n`).join('');
  const args = ['diff-tree', '-r', '--raw', '--no-abbrev', '--no-renames', '-z', '--stdin'];
  const parts = (await git.run(args, { input })).split('\0');
  const versions: Map<string, string>[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, lead = '', blob] = /^(\w+ \w+\n)?:\d+ \d+ \w+ (\w+) \w$/.exec(parts[at] ?? '') ?? [];
    if (lead !== '') versions.push(new Map());
    const name = parts[at + 1] ?? '';
    if (blob !== undefined && basename(name) === name && isPlanFile(name)) {
      versions.at(-1)?.set(name, blob);
    }
  }
  return versions;
}
