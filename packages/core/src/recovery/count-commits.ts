import type { Git } from '../git/git.ts';

/** The newest commit of a branch here and of the same branch on the remote, and the commits it is compared with. */
export interface Tips {
  id: string;
  tip: string;
  bases: readonly string[];
  pushed?: string;
}

export interface CommitCounts {
  /** Commits that no base has. */
  ahead: number;
  /** Commits that neither the remote's branch nor a base has. */
  unpushed: number;
}

/** Counts the commits of many branches beyond their bases. Uses one git process for branches with the same bases. */
export async function countCommits(
  git: Git,
  branches: readonly Tips[],
): Promise<Map<string, CommitCounts>> {
  const counted = new Map<string, CommitCounts>();
  const byBase = Map.groupBy(branches, ({ bases }) => bases.join(' '));
  for (const based of byBase.values()) {
    for (const [id, counts] of await countBeyond(git, based)) counted.set(id, counts);
  }
  return counted;
}

/** Counts for branches that have the same bases. */
async function countBeyond(
  git: Git,
  branches: readonly Tips[],
): Promise<Map<string, CommitCounts>> {
  const starts = branches.flatMap(({ tip, pushed }) =>
    pushed === undefined ? [tip] : [tip, pushed],
  );
  const known = branches[0]?.bases ?? [];
  const input = [...new Set(starts), ...known.map((it) => `^${it}`)]
    .map((it) => `${it}\n`)
    .join('');
  const listed = await git.attempt(['rev-list', '--parents', '--stdin'], { input });
  if (listed.code !== 0) return new Map();
  const parents = new Map(
    listed.stdout.split('\n').map((line): [string, string[]] => {
      const [commit = '', ...rest] = line.split(' ');
      return [commit, rest];
    }),
  );
  return new Map(
    branches.map(({ id, tip, pushed }) => {
      const own = reach(tip, parents);
      const there = pushed === undefined ? new Set<string>() : reach(pushed, parents);
      return [id, { ahead: own.size, unpushed: [...own].filter((it) => !there.has(it)).length }];
    }),
  );
}

/** Returns the commit and its ancestors, as far as they are listed. */
function reach(tip: string, parents: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(parents.has(tip) ? [tip] : []);
  // Iterating a Set also visits elements added during the loop.
  for (const commit of found) {
    for (const parent of parents.get(commit) ?? []) if (parents.has(parent)) found.add(parent);
  }
  return found;
}
