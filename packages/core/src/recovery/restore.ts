import { copyFileSync, cpSync, existsSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Epic } from '@saga-ai/types/plan/epic';
import { EVIDENCE_FILE, epicFilePath } from '@saga-ai/types/plan/plan-paths';
import { Task } from '@saga-ai/types/plan/task';
import type { TrashNote } from '@saga-ai/types/run/trash-note';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import { SagaError } from '../errors.ts';
import { ensureIgnoredFolder, syncFolder } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { loadJsonFile, readJsonFile, saveJsonFields } from '../files/json-file.ts';
import { removeTree } from '../files/remove-tree.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import { withProjectLock } from '../plan/story-lock.ts';
import { withLock } from '../processes/lock.ts';
import type { Environment } from '../processes/run.ts';
import {
  epicFile,
  mainStoryFolder,
  type Paths,
  restoringFolder,
  storyBranch,
  storyLock,
} from '../project/paths.ts';
import { unmarkDiscarded } from '../records/session-records.ts';
import { findTrashed, listTrash, type TrashEntry } from '../trash/list-trash.ts';
import type { RawGit } from '../trash/raw-git.ts';
import { findKeptFile, restoreWork } from '../trash/restore-work.ts';
import { NOTES, openTrashGit } from '../trash/save-work.ts';
import { findWorktreePlace } from '../worker/prepare/find-worktree-place.ts';
import { lockWorker } from '../worker/prepare/lock-worker.ts';

export interface Restored {
  entry: TrashEntry;
  note: TrashNote;
  /** Where the worktree is; undefined if the story had none. */
  folder?: string;
  /** The files of the plan that were brought back, relative to the project. */
  plan: string[];
}

/**
 * Brings a story back from the trash: the newest entry of its id, or the entry of that name. The entry stays
 * in the trash.
 */
export async function restoreFromTrash(
  paths: Paths,
  name: string,
  env: Environment,
): Promise<Restored> {
  const git = openPlainGit(paths.root, env);
  const entry = findTrashed(await listTrash(git), name, (it) => it.note !== undefined);
  const { note } = entry;
  if (!note) throw notWhole(entry);
  const id = entry.story;
  using _lock = await lockWorker({ paths, storyId: id });
  const config = loadConfigOrDefaults(paths, { environment: env });
  const { folder } = findWorktreePlace({ paths, storyId: id, config, env });
  const branch = note.isEpic ? formatEpicBranch(id) : storyBranch(paths, id);
  using raw = await openTrashGit(paths, git, id);
  await restoreWork({ git, root: paths.root, ref: entry.ref, note, branch, folder }, raw);
  const plan =
    note.why === 'delete'
      ? await restorePlan(paths, id, note, raw)
      : note.why === 'reset'
        ? await restoreStatuses(paths, id, raw)
        : [];
  unmarkDiscarded(paths, id, note.at);
  return { entry, note, folder: note.head === null ? undefined : folder, plan };
}

function notWhole({ ref, story, kind }: TrashEntry): SagaError {
  return new SagaError(
    'usage',
    `${ref} is a copy that SAGA made for safety (${kind}), not a story that was removed.`,
    `Look at it: saga trash show ${ref}. Take it as a branch: git branch from-trash-${story} ${ref}`,
  );
}

/** Brings back the files of a deleted item, unless there are such files again, and puts the item back into its epic. */
async function restorePlan(
  paths: Paths,
  id: string,
  note: TrashNote,
  raw: RawGit,
): Promise<string[]> {
  return withProjectLock(paths, () => {
    const [kept, place] = note.isEpic
      ? [findKeptFile(raw, NOTES.files, epicFilePath(id)), epicFile(paths, id)]
      : [findKeptFile(raw, NOTES.plan), mainStoryFolder(paths, id)];
    if (!existsSync(kept) || existsSync(place)) return [];
    // The files are copied to a folder beside their place first, so that the last step is one rename.
    const copy = restoringFolder(paths, id);
    ensureIgnoredFolder(paths.passing);
    removeTree(copy);
    cpSync(kept, copy, { recursive: true });
    ensureFolder(dirname(place));
    renameSync(copy, place);
    syncFolder(dirname(place));
    rejoinEpic(paths, id, note);
    return [place];
  });
}

/** Brings back what a reset changed in the main checkout: statuses, attempts and evidence. */
async function restoreStatuses(paths: Paths, id: string, raw: RawGit): Promise<string[]> {
  const kept = findKeptFile(raw, NOTES.plan);
  const home = mainStoryFolder(paths, id);
  if (!existsSync(kept) || !existsSync(home)) return [];
  return withLock(storyLock(paths, id), () => {
    const changed: string[] = [];
    for (const name of readdirSync(kept)) {
      const [from, to] = [join(kept, name), join(home, name)];
      if (name === EVIDENCE_FILE && !existsSync(to)) {
        copyFileSync(from, to);
        changed.push(to);
      }
      const task = readJsonFile(paths.root, from, Task);
      // A task that the person has removed since stays removed, and later edits stay.
      if (!('value' in task) || !existsSync(to)) continue;
      const { status, attempts, lastOutcome, escalated } = task.value;
      const fields = { status, attempts, lastOutcome, escalated };
      if (saveJsonFields(paths.root, to, Task, fields)) changed.push(to);
    }
    return changed;
  });
}

/** Puts a child back into its epic, with its blockers and its dependents. */
function rejoinEpic(paths: Paths, id: string, { plan }: TrashNote): void {
  const file = plan?.epic === undefined ? undefined : epicFile(paths, plan.epic);
  if (!plan || file === undefined || !existsSync(file)) return;
  const { children } = loadJsonFile(paths.root, file, Epic).value;
  if (children.some((it) => it.id === id)) return;
  const siblings = new Set(children.map((it) => it.id));
  const own = { id, blockedBy: plan.blockedBy.filter((it) => siblings.has(it)) };
  const others = children.map((it) =>
    plan.dependents.includes(it.id) && !it.blockedBy.includes(id)
      ? { ...it, blockedBy: [...it.blockedBy, id] }
      : it,
  );
  saveJsonFields(paths.root, file, Epic, { children: [...others, own] });
}
