import { basename } from 'node:path';
import type { Git } from '../../git/git.ts';
import { isAncestor } from '../../git/git.ts';
import { readRefs, SYMBOLIC } from '../../git/read-refs.ts';
import { formatRunTrash } from '../../git/refs/trash-refs.ts';
import type { Worktree } from '../../git/worktree.ts';
import { sharedFolderOf } from '../../sandbox/git-quarantine.ts';
import type { Worker } from '../context.ts';
import { branchOf, readMoves } from './checkouts.ts';
import type { Elsewhere } from './elsewhere.ts';
import { compareRefs, decideRef, type RefChange } from './ref-changes.ts';
import { listBusyStories, type Snapshot } from './snapshot.ts';

interface RefsElsewhere extends Elsewhere {
  /** The refs that keep what would be lost. */
  kept: { name: string; ref: string }[];
}

/** Puts back the refs that only a run changes. Keeps what each ref pointed to in the trash. */
export async function restoreRefs(
  worker: Worker,
  worktree: Worktree,
  git: Git,
  before: Snapshot,
  runId: string,
  isEnclosed: boolean,
): Promise<RefsElsewhere> {
  const found: RefsElsewhere = { putBack: [], noticed: [], kept: [] };
  const shared = sharedFolderOf(worktree);
  const changes = compareRefs(before.refs, await readRefs(git, shared)).filter(
    // In the sandbox a run has refs of its own, so a person or another worker changed these by a fetch or a push.
    ({ ref }) => !(isEnclosed && ref.startsWith('refs/remotes/')),
  );
  if (changes.length === 0) return found;
  const facts = {
    own: `refs/heads/${worktree.branch}`,
    busy: new Set([...before.busy, ...listBusyStories(worker.paths, before.takenAt)]),
    confirmed: await confirmTracking(git, worktree, changes),
    checkedOut: new Map(
      [...before.checkouts].flatMap(([name, mark]) => {
        const ref = branchOf(mark.head);
        return ref === undefined ? [] : [[ref, readMoves(shared, name, mark)] as const];
      }),
    ),
  };
  const trash = formatRunTrash(basename(worktree.gitFolder), runId);
  for (const change of changes) {
    const fate = decideRef(change, facts);
    if (fate === 'fine') continue;
    const isBack = fate === 'put-back' && !isEnclosed && (await putBack(git, change, trash));
    if (!isBack) await keepBefore(git, change, trash);
    (isBack ? found.putBack : found.noticed).push(describe(change, isBack));
    const kept = `${trash}/${change.ref.slice('refs/'.length)}`;
    if (await exists(git, kept)) found.kept.push({ name: change.ref, ref: kept });
  }
  return found;
}

async function putBack(git: Git, { ref, before, after }: RefChange, trash: string) {
  const kept = `${trash}/${ref.slice('refs/'.length)}`;
  if (after !== undefined && !isSymbolic(after)) await git.attempt(['update-ref', kept, after]);
  if (before === undefined) return isDone(git, ['update-ref', '--no-deref', '-d', ref]);
  if (isSymbolic(before)) return isDone(git, ['symbolic-ref', ref, before.slice(SYMBOLIC.length)]);
  if (after !== undefined && isSymbolic(after)) await git.attempt(['symbolic-ref', '-d', ref]);
  return isDone(git, ['update-ref', '--no-deref', '-m', 'saga: put back', ref, before]);
}

/** Keeps the commits of a ref that was deleted or moved away from them, so that git does not remove them. */
async function keepBefore(git: Git, { ref, before, after }: RefChange, trash: string) {
  if (before === undefined || isSymbolic(before)) return;
  if (after !== undefined && !isSymbolic(after) && (await isAncestor(git, before, after))) return;
  await git.attempt(['update-ref', `${trash}/${ref.slice('refs/'.length)}`, before]);
}

/** Asks each remote whose tracking refs changed for its current refs. */
async function confirmTracking(
  git: Git,
  { base }: Worktree,
  changes: readonly RefChange[],
): Promise<Set<string>> {
  const tracking = changes.filter(({ ref }) => ref.startsWith('refs/remotes/'));
  if (tracking.length === 0) return new Set();
  const remotes = (await git.run(['remote'])).split('\n').filter(Boolean);
  const confirmed = new Set<string>();
  for (const remote of remotes) {
    const prefix = `refs/remotes/${remote}/`;
    const own = tracking.filter(({ ref }) => ref.startsWith(prefix));
    if (own.length === 0) continue;
    const address = (remote === base.remote ? base.pinned?.fetchUrl : undefined) ?? remote;
    const asked = await git.attempt(['ls-remote', address, 'refs/heads/*'], { network: 'asking' });
    const lines = new Set(asked.code === 0 ? asked.stdout.split('\n') : []);
    for (const { ref, after } of own) {
      const name = `refs/heads/${ref.slice(prefix.length)}`;
      const isGone = after === undefined && asked.code === 0 && !hasRef(lines, name);
      if (isGone || lines.has(`${after}\t${name}`)) confirmed.add(ref);
    }
  }
  return confirmed;
}

const hasRef = (lines: ReadonlySet<string>, name: string) =>
  [...lines].some((line) => line.endsWith(`\t${name}`));

function describe({ ref, before, after }: RefChange, isBack: boolean): string {
  const name = ref.replace(/^refs\/heads\//, '');
  if (isBack) return ref;
  if (before === undefined) return `${name} is new`;
  return after === undefined ? `${name} was deleted` : `${name} was moved`;
}

const isSymbolic = (value: string) => value.startsWith(SYMBOLIC);
const isDone = async (git: Git, args: string[]) => (await git.attempt(args)).code === 0;
const exists = async (git: Git, ref: string) =>
  (await git.attempt(['rev-parse', '--verify', '-q', ref])).code === 0;
