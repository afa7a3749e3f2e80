import {
  parseEpicBranch,
  parseRehearsalBranch,
  parseStoryBranch,
} from '@saga-ai/types/words/names';
import { testRefs } from '../../git/refs/test-refs.ts';
import { TRASH } from '../../git/refs/trash-refs.ts';

/** A ref that differs from what it was before a run. A symbolic ref has `ref: ` and its target as its value. */
export interface RefChange {
  ref: string;
  /** Undefined if the ref is new. */
  before?: string;
  /** Undefined if the ref was deleted. */
  after?: string;
}

export interface RefFacts {
  /** The story's own branch, as a full name. It is settled elsewhere. */
  own: string;
  /** Stories whose workers, and epics whose schedulers, were at work in the meantime. */
  busy: ReadonlySet<string>;
  /** Tracking refs that are what the remote itself shows. */
  confirmed: ReadonlySet<string>;
  /**
   * Branches that are checked out somewhere, as full names, each with the commits that git noted in that
   * checkout in the meantime; undefined if git keeps no such notes there.
   */
  checkedOut: ReadonlyMap<string, ReadonlySet<string> | undefined>;
}

/**
 * `fine`: somebody else's ordinary work. `put-back`: only a run changes this, or putting it back costs nobody anything.
 * `noticed`: a person may have made the change, so it stays and is reported.
 */
export type RefFate = 'fine' | 'put-back' | 'noticed';

const KEPT = new RegExp(`^${TRASH}/(?:runs/([^/]+))?`);

export function decideRef({ ref, before, after }: RefChange, facts: RefFacts): RefFate {
  const ownStory = parseStoryBranch(facts.own.slice('refs/heads/'.length));
  if (ownStory !== undefined && ref.startsWith(testRefs(ownStory))) return 'put-back';
  // Refs that keep work for a person are only added. Other workers remove their own.
  const [trash, kept = ''] = KEPT.exec(ref) ?? [];
  if (trash !== undefined && before !== undefined && !facts.busy.has(kept)) return 'noticed';
  if (ref === facts.own || OWN.test(ref)) return 'fine';
  if (ref.startsWith('refs/replace/')) return 'put-back';
  // A tracking ref only remembers what a remote had; the next fetch brings it up to date.
  if (ref.startsWith('refs/remotes/')) return facts.confirmed.has(ref) ? 'fine' : 'put-back';
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
  if (branch === undefined) return 'noticed';
  if (parseRehearsalBranch(branch) !== undefined) return 'fine';
  const story = parseStoryBranch(branch);
  if (story !== undefined && facts.busy.has(story)) return 'fine';
  const epic = parseEpicBranch(branch);
  if (epic !== undefined && facts.busy.has(epic)) return 'fine';
  if (!facts.checkedOut.has(ref)) return 'noticed';
  // A person moves a branch that is checked out by working there, and git notes that. From another checkout
  // git itself refuses it.
  const noted = facts.checkedOut.get(ref);
  return noted === undefined || (after !== undefined && noted.has(after)) ? 'noticed' : 'put-back';
}

/** SAGA's own refs, and those that every worktree has for itself. */
const OWN = /^refs\/(saga|bisect|worktree|rewritten)\//;

/** Compares all refs of a repository. */
export function compareRefs(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): RefChange[] {
  const changes: RefChange[] = [];
  for (const [ref, value] of before) {
    const now = after.get(ref);
    if (now !== value) changes.push({ ref, before: value, after: now });
  }
  for (const [ref, value] of after) if (!before.has(ref)) changes.push({ ref, after: value });
  return changes.sort((a, b) => (a.ref < b.ref ? -1 : 1));
}
