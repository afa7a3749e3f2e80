import { isId } from '@saga-ai/types/plan/ids';

/** Refs below this folder keep what SAGA removed or might have lost. */
export const TRASH = 'refs/saga/trash';

/** Where the work of a story is kept that a person discarded, reset or deleted. */
export const formatStoryTrash = (storyId: string, timestamp: number) =>
  `${TRASH}/${storyId}/${timestamp}`;

/** Where the uncommitted changes of a worktree are kept before `saga update` merges. */
export const formatUpdateTrash = (storyId: string, timestamp: number) =>
  `${TRASH}/update/${storyId}/${timestamp}`;

/** Where a person's changes in a kept rehearsal are kept. */
export const formatRehearsalTrash = (storyId: string, timestamp: number) =>
  `${TRASH}/rehearsal/${storyId}/${timestamp}`;

/** Where files are kept that an edit or a migration removed. `name` is the id of the item, or the format. */
export const formatFilesTrash = (kind: 'edit' | 'migrate', name: string, timestamp: number) =>
  `${TRASH}/${kind}/${name}/${timestamp}`;

/** The folder of refs that a run made or moved outside its branch. `worktree` is the name of its worktree. */
export const formatRunTrash = (worktree: string, runId: string) =>
  `${TRASH}/runs/${worktree}/${runId}`;

/**
 * What a ref in the trash keeps. `story`: a discarded story, which can be restored. `update` and
 * `rehearsal`: a copy of uncommitted changes. `edit` and `migrate`: files of the plan that were removed. `run`: a ref that a run made or moved.
 */
export type TrashKind = 'story' | 'update' | 'rehearsal' | 'edit' | 'migrate' | 'run';

export interface TrashName {
  ref: string;
  kind: TrashKind;
  /** The id of the story, or of the epic. */
  story: string;
  /** When it was kept, in milliseconds since the epoch. Undefined for the ref of a run, whose name has no time. */
  timestamp?: number;
  /** For a ref of a run, the name that it had before, such as `refs/heads/main`. */
  was?: string;
}

/** Kinds whose refs have a name and a time behind their own word. */
const COPIES = ['update', 'rehearsal', 'edit', 'migrate'] as const;

/** Reads the name of a ref in the trash. Returns undefined for a name that SAGA does not give. */
export function parseTrashRef(ref: string): TrashName | undefined {
  if (!ref.startsWith(`${TRASH}/`)) return undefined;
  const parts = ref.slice(TRASH.length + 1).split('/');
  const [first = '', second = '', third = '', ...rest] = parts;
  if (parts.length === 2) return name(ref, 'story', first, parseTime(second));
  const kind = COPIES.find((it) => it === first);
  if (parts.length === 3 && kind) return name(ref, kind, second, parseTime(third));
  if (first !== 'runs' || rest.length === 0) return undefined;
  const story = second.replace(/\.rehearsal$/, '');
  return isId(story) ? { ref, kind: 'run', story, was: `refs/${rest.join('/')}` } : undefined;
}

function name(
  ref: string,
  kind: TrashKind,
  story: string,
  timestamp: number | undefined,
): TrashName | undefined {
  return isId(story) && timestamp !== undefined ? { ref, kind, story, timestamp } : undefined;
}

function parseTime(text: string): number | undefined {
  const time = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(time) ? time : undefined;
}
