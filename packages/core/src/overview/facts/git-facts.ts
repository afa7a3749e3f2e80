import { EVIDENCE_FILE, STORIES_PATH, storyPath } from '@saga-ai/types/plan/plan-paths';
import { formatEpicBranch, parseEpicBranch, parseStoryBranch } from '@saga-ai/types/words/names';
import { commitOf, loadRefs, type Refs } from '../../git/branches.ts';
import { deriveBase } from '../../git/find-base.ts';
import type { Git } from '../../git/git.ts';
import { readBlobs } from '../../git/read-blobs.ts';

/** What git knows of all stories, read at once. Fetches nothing. */
export interface GitFacts {
  /** The branch that stories start from and are merged into, and its current commit. */
  base?: { branch: string; commit: string; remote?: string };
  /** The stories whose evidence on the base branch says that their gate passed: id to blob. */
  inBase: Readonly<Record<string, string>>;
  /** The newest commit of each story's branch: the local one, else the remote's. */
  tips: Readonly<Record<string, string>>;
  /** The tree of all stories on the base branch. While it is the same, `inBase` is current. */
  storiesTree?: string;
  /** The branches of epics, by the epic's id: `inBase` and `storiesTree` of each. */
  epics: Readonly<Record<string, EpicFacts>>;
}

/** What the branch of an epic contains. */
export interface EpicFacts {
  /** The newest commit: the local branch's, else the remote's. */
  commit: string;
  /** The commit that stories of the epic start from: the remote branch's, else the local one's. */
  start: string;
  inBase: Readonly<Record<string, string>>;
  /** Empty if the branch has no stories. */
  storiesTree: string;
}

const NO_GIT: GitFacts = { inBase: {}, tips: {}, epics: {} };

/** Asks git once for all stories. Evidence that is already known is not read again. */
export async function findGitFacts(
  git: Git,
  baseBranch: string | undefined,
  before: GitFacts = NO_GIT,
): Promise<GitFacts> {
  const refs = await loadRefs(git);
  const found = deriveBase(refs, baseBranch);
  const { branch, commit, remote } = found ?? {};
  const base =
    branch === undefined || commit === undefined ? undefined : { branch, commit, remote };
  const branches = { ...findBranches(refs), epics: await findEpics(git, refs, before.epics) };
  if (!base) return { ...NO_GIT, ...branches };
  const tree = await git.attempt(['rev-parse', '-q', '--verify', `${base.commit}:${STORIES_PATH}`]);
  const storiesTree = tree.stdout.trim();
  if (tree.code !== 0) return { ...NO_GIT, ...branches, base };
  const inBase =
    storiesTree === before.storiesTree
      ? before.inBase
      : await findPassed(git, storiesTree, before.inBase);
  return { base, inBase, storiesTree, ...branches };
}

/** Reads which stories are merged into which epics. The local branch counts; it is pushed after it moved. */
async function findEpics(
  git: Git,
  refs: Refs,
  before: GitFacts['epics'],
): Promise<Record<string, EpicFacts>> {
  const { commits, remote } = refs;
  const tips = new Map<string, string>();
  for (const prefix of [`refs/remotes/${remote}/`, 'refs/heads/']) {
    for (const [ref, commit] of commits) {
      const id = ref.startsWith(prefix) ? parseEpicBranch(ref.slice(prefix.length)) : undefined;
      if (id !== undefined) tips.set(id, commit);
    }
  }
  const epics: Record<string, EpicFacts> = {};
  for (const [id, commit] of tips) {
    const known = before[id];
    const tree = await git.attempt(['rev-parse', '-q', '--verify', `${commit}:${STORIES_PATH}`]);
    const start = commitOf(refs, formatEpicBranch(id)) ?? commit;
    // The plan may not be in any commit yet; stories start from the branch all the same.
    if (tree.code !== 0) {
      epics[id] = { commit, start, inBase: {}, storiesTree: '' };
      continue;
    }
    const storiesTree = tree.stdout.trim();
    const isSame = known?.storiesTree === storiesTree;
    const inBase = isSame ? known.inBase : await findPassed(git, storiesTree, known?.inBase ?? {});
    epics[id] = { commit, start, inBase, storiesTree };
  }
  return epics;
}

function findBranches({ commits, remote }: Refs): Pick<GitFacts, 'tips'> {
  const tips: Record<string, string> = {};
  const visit = (prefix: string, note: (id: string, commit: string) => void) => {
    for (const [ref, commit] of commits) {
      if (!ref.startsWith(prefix)) continue;
      const id = parseStoryBranch(ref.slice(prefix.length));
      if (id !== undefined) note(id, commit);
    }
  };
  visit('refs/heads/', (id, commit) => {
    tips[id] = commit;
  });
  if (remote !== undefined) {
    visit(`refs/remotes/${remote}/`, (id, commit) => {
      tips[id] ??= commit;
    });
  }
  return { tips };
}

/** Reads the evidence of stories in a tree, except for blobs that are already known. */
async function findPassed(
  git: Git,
  tree: string,
  known: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const entries = await git.paths(['ls-tree', '-r', '-z', tree]);
  const passed: Record<string, string> = {};
  const asked: [id: string, blob: string][] = [];
  for (const entry of entries) {
    if (!entry.endsWith(`/${EVIDENCE_FILE}`)) continue;
    const [, blob, id] = /^\d+ blob (\w+)\t([^/]+)\/[^/]+$/.exec(entry) ?? [];
    if (blob === undefined || id === undefined) continue;
    if (known[id] === blob) passed[id] = blob;
    else asked.push([id, blob]);
  }
  const texts = await readBlobs(
    git,
    asked.map(([, blob]) => blob),
  );
  for (const [index, [id, blob]] of asked.entries()) {
    if (isPassed(texts[index], id)) passed[id] = blob;
  }
  return passed;
}

/**
 * Whether the text is evidence of this story that says that the gate passed. The file may contain
 * anything.
 */
function isPassed(text: string | undefined, id: string): boolean {
  try {
    const evidence = JSON.parse(text ?? '') as { outcome?: unknown; story?: unknown } | null;
    return evidence?.outcome === 'passed' && evidence.story === id;
  } catch {
    // The text is not JSON.
    return false;
  }
}

/** A story whose evidence passed at `head`, and whose branch is now at `tip`. */
export interface Checked {
  id: string;
  head: string;
  tip: string;
}

/**
 * Returns the stories whose branch contains only bookkeeping since the checked commit. Uses one git
 * process.
 */
export async function findUnchanged(git: Git, stories: readonly Checked[]): Promise<Set<string>> {
  const moved = stories.filter(({ head, tip }) => head !== tip);
  const same = new Set(stories.filter(({ head, tip }) => head === tip).map(({ id }) => id));
  if (moved.length === 0) return same;
  // Both names on a line must be trees; git would not understand a line with a missing commit.
  const trees = await resolveTrees(
    git,
    moved.flatMap(({ head, tip }) => [head, tip]),
  );
  const pairs = moved.flatMap(({ id, head, tip }) => {
    const [from, to] = [trees.get(head), trees.get(tip)];
    return from === undefined || to === undefined ? [] : [{ id, from, to }];
  });
  for (const { id, from, to } of pairs) if (from === to) same.add(id);
  const differing = pairs.filter(({ from, to }) => from !== to);
  if (differing.length === 0) return same;
  const input = differing.map(({ from, to }) => `${from} ${to}\n`).join('');
  const args = ['diff-tree', '-r', '--raw', '--no-renames', '-z', '--stdin'];
  const changed = parsePairs(await git.run(args, { input }));
  for (const { id, from, to } of differing) {
    const paths = changed.get(`${from} ${to}`);
    if (paths?.every((path) => path.startsWith(`${storyPath(id)}/`))) same.add(id);
  }
  return same;
}

async function resolveTrees(git: Git, commits: readonly string[]): Promise<Map<string, string>> {
  const unique = [...new Set(commits)];
  const input = unique.map((commit) => `${commit}^{tree}\n`).join('');
  const printed = await git.run(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input,
  });
  const trees = new Map<string, string>();
  for (const [index, line] of printed.split('\n').entries()) {
    const [id = '', kind] = line.split(' ');
    const commit = unique[index];
    if (kind === 'tree' && commit !== undefined) trees.set(commit, id);
  }
  return trees;
}

/**
 * Parses `--raw -z`: records and paths alternate; the pair and a line break come before the first
 * record of a pair. A path may contain anything, so its position alone identifies it.
 */
function parsePairs(printed: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const parts = printed.split('\0');
  let paths: string[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const pair = /^([0-9a-f]+ [0-9a-f]+)\n:/.exec(parts[at] ?? '')?.[1];
    if (pair !== undefined) {
      paths = [];
      found.set(pair, paths);
    }
    paths.push(parts[at + 1] ?? '');
  }
  return found;
}

/** A story's branch at `tip`, and the base at `base`. */
export interface Parted {
  id: string;
  tip: string;
  base: string;
}

/** At most this many git processes at once. */
const AT_ONCE = 8;

/** Counts the commits of the base that each branch lacks. */
export async function countBehind(
  git: Git,
  stories: readonly Parted[],
): Promise<Map<string, number>> {
  const behind = new Map<string, number>();
  for (let at = 0; at < stories.length; at += AT_ONCE) {
    const some = stories.slice(at, at + AT_ONCE);
    await Promise.all(
      some.map(async ({ id, tip, base }) => {
        const counted = await git.attempt(['rev-list', '--count', `${tip}..${base}`]);
        if (counted.code === 0) behind.set(id, Number(counted.stdout));
      }),
    );
  }
  return behind;
}
