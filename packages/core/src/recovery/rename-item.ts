import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { Epic } from '@saga-ai/types/plan/epic';
import { isId } from '@saga-ai/types/plan/ids';
import { Story } from '@saga-ai/types/plan/story';
import { formatEpicBranch, formatStoryBranch } from '@saga-ai/types/words/names';
import { SagaError } from '../errors.ts';
import { syncFolder } from '../files/atomic-write.ts';
import { readJsonFile, saveJsonFields } from '../files/json-file.ts';
import { loadRefs } from '../git/branches.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { listArchived } from '../plan/archived.ts';
import { readEpics } from '../plan/epics.ts';
import { listIds } from '../plan/list-ids.ts';
import { notFound } from '../plan/not-found.ts';
import { requireIdle, withProjectLock } from '../plan/story-lock.ts';
import type { Environment } from '../processes/run.ts';
import { displayPath } from '../project/display-path.ts';
import {
  epicFile,
  evidenceFile,
  mainStoryFolder,
  type Paths,
  storyFile,
} from '../project/paths.ts';
import { saveChildren, withOtherId } from './place-in-epic.ts';

/**
 * Gives a story or an epic another id, in its own file and wherever the plan names it. Throws once work has begun,
 * because branch, worktree, pull request and evidence have the old id. May be called again after a kill. Returns the
 * files that were changed, relative to the project.
 */
export async function renameItem(
  paths: Paths,
  from: string,
  to: string,
  env: Environment,
): Promise<string[]> {
  if (!isId(to)) {
    throw new SagaError(
      'invalid-id',
      `${JSON.stringify(to)} cannot be an id.`,
      'Use lower-case letters, digits and dashes, at most 64, such as cart-api.',
    );
  }
  if (!isId(from)) throw notFound(paths, from);
  await requireNotBegun(paths, from, env);
  return withProjectLock(paths, () => {
    requireIdle(paths, from);
    const isEpic =
      existsSync(epicFile(paths, from)) || isHalf(paths, epicFile(paths, to), Epic, from);
    const [old, fresh] = isEpic
      ? [epicFile(paths, from), epicFile(paths, to)]
      : [mainStoryFolder(paths, from), mainStoryFolder(paths, to)];
    const own = isEpic ? fresh : storyFile(fresh);
    // The second half of a rename that was killed: the file has its new name and the old id.
    if (!isHalf(paths, own, isEpic ? Epic : Story, from)) {
      if (!existsSync(old)) throw notFound(paths, from);
      requireFree(paths, to);
      renameSync(old, fresh);
      syncFolder(dirname(fresh));
    }
    const changed = [own, ...renameReferences(paths, from, to, isEpic)];
    // The id inside the file is changed last. As long as it is the old one, the rename can be repeated.
    if (isEpic) saveJsonFields(paths.root, own, Epic, { id: to });
    else saveJsonFields(paths.root, own, Story, { id: to });
    return changed.map((file) => displayPath(paths.root, file));
  });
}

/** Whether the file of the new id still contains the old id. */
function isHalf(
  paths: Paths,
  file: string,
  schema: typeof Story | typeof Epic,
  from: string,
): boolean {
  if (!existsSync(file)) return false;
  const read = readJsonFile<{ id: string }>(paths.root, file, schema);
  return 'value' in read && read.value.id === from;
}

function requireFree(paths: Paths, id: string): void {
  if (!listIds(paths).includes(id) && !listArchived(paths).has(id)) return;
  throw new SagaError(
    'already-exists',
    `The id ${id} is already in use.`,
    'Choose another id: stories, epics and the archive share one set.',
  );
}

/** Renames the item in every epic, and in the stories of a renamed epic. */
function renameReferences(paths: Paths, from: string, to: string, isEpic: boolean): string[] {
  const changed: string[] = [];
  for (const epic of readEpics(paths).epics) {
    if (epic.id !== to && saveChildren(paths, epic.id, (it) => withOtherId(it, from, to))) {
      changed.push(epicFile(paths, epic.id));
    }
    if (!isEpic || epic.id !== to) continue;
    for (const child of epic.children) {
      const file = storyFile(mainStoryFolder(paths, child.id));
      const read = existsSync(file) ? readJsonFile(paths.root, file, Story) : undefined;
      if (!read || !('value' in read) || read.value.epic !== from) continue;
      saveJsonFields(paths.root, file, Story, { epic: to });
      changed.push(file);
    }
  }
  return changed;
}

async function requireNotBegun(paths: Paths, id: string, env: Environment): Promise<void> {
  const git = openPlainGit(paths.root, env);
  const { commits, remote } = await loadRefs(git);
  const branches = [formatStoryBranch(id), formatEpicBranch(id)];
  const names = branches.flatMap((it) => [`refs/heads/${it}`, `refs/remotes/${remote}/${it}`]);
  const branch = names.find((it) => commits.has(it));
  const evidence = existsSync(evidenceFile(mainStoryFolder(paths, id)));
  if (branch === undefined && !evidence) return;
  const what =
    branch === undefined ? 'evidence' : `the branch ${branch.replace(/^refs\/\w+\//, '')}`;
  throw new SagaError(
    'in-flight',
    `${id} has begun: it has ${what}, which names it.`,
    `Change its title instead: saga edit ${id}. Or begin it anew first: saga reset ${id}`,
  );
}
