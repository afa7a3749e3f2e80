import { JOURNAL_FILE } from '@saga-ai/types/plan/journal';
import {
  epicFilePath,
  isInStory,
  STORIES_PATH,
  STORY_FILE,
  storyPath,
} from '@saga-ai/types/plan/plan-paths';
import type { Git } from '../git/git.ts';
import { readBlobs } from '../git/read-blobs.ts';
import { digestPlan, isPlanFile } from '../plan/plan-digest.ts';
import type { Landing } from './context.ts';
import { listLandedEpics } from './landed-stories.ts';

/**
 * Lists the plan files for which the branch's copy wins: files whose copy on the base the branch once had, and files
 * whose two copies define the same. Such conflicts arise if the plan was pushed only after the work began. A file that
 * somebody edited on the base is not listed.
 */
export async function listOwnPlan(
  landing: Pick<Landing, 'git' | 'worker' | 'kind' | 'id' | 'stories' | 'tip'>,
  base: string,
  conflicts: readonly string[],
): Promise<string[]> {
  const { git, worker, kind, id, stories, tip } = landing;
  const epics = listLandedEpics(worker.paths, kind, id).map(epicFilePath);
  const isOwn = (path: string) =>
    epics.includes(path) || stories.some((story) => isInStory(path, story));
  const places = [...epics, ...stories.map(storyPath)];
  const [onBase, onBranch] = [
    await listBlobs(git, base, places),
    await listBlobs(git, tip, places),
  ];
  // A task that a run split is gone on the branch, and git would bring it back.
  const removed = [...onBase.keys()].filter((path) => !onBranch.has(path));
  const asked = [...new Set([...conflicts.filter(isOwn), ...removed])];
  if (asked.length === 0) return [];
  const versions = await listVersions(git, { base, tip, paths: asked });
  const found: string[] = [];
  for (const path of asked) {
    const blob = onBase.get(path);
    const known = versions.get(path);
    if (blob === undefined || !known) continue;
    if (known.has(blob) || (await comesFrom(git, path, blob, [...known]))) found.push(path);
  }
  return found;
}

/** Whether a version on the branch has the definition of the base's copy, or begins with it if it is a journal. */
async function comesFrom(
  git: Git,
  path: string,
  blob: string,
  versions: readonly string[],
): Promise<boolean> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [text = '', ...others] = await readBlobs(git, [blob, ...versions]);
  if (name === JOURNAL_FILE) return others.some((other) => other.startsWith(text));
  if (!isPlanFile(name)) return false;
  // Workers write the same fields of an epic as of a story.
  const as = path.startsWith(`${STORIES_PATH}/`) ? name : STORY_FILE;
  const digest = (it: string) => digestPlan(new Map([[as, it]]));
  return others.some((other) => digest(other) === digest(text));
}

/** Returns the blobs of a commit in these places, by their paths. */
async function listBlobs(
  git: Git,
  commit: string,
  places: readonly string[],
): Promise<Map<string, string>> {
  const records = await git.paths(['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...places]);
  return new Map(
    records.flatMap((record): [string, string][] => {
      const [, blob, path] = /^\d+ blob (\w+)\t(.*)$/s.exec(record) ?? [];
      return blob !== undefined && path !== undefined ? [[path, blob]] : [];
    }),
  );
}

/** Returns all blobs that the commits of the branch ever had of these files, by path. */
async function listVersions(
  git: Git,
  { base, tip, paths }: { base: string; tip: string; paths: readonly string[] },
): Promise<Map<string, Set<string>>> {
  const literal = paths.map((path) => `:(top,literal)${path}`);
  const raw = ['--raw', '-z', '--no-abbrev', '--no-renames', '--format=', '--full-history'];
  const fields = await git.paths(['log', ...raw, tip, `^${base}`, '--', ...literal]);
  const versions = new Map<string, Set<string>>();
  for (const [at, field] of fields.entries()) {
    const [, before, after] = /^:\d+ \d+ (\w+) (\w+) [A-Z]/.exec(field) ?? [];
    const path = fields[at + 1];
    if (before === undefined || after === undefined || path === undefined) continue;
    const known = versions.get(path) ?? new Set();
    for (const blob of [before, after]) if (!/^0+$/.test(blob)) known.add(blob);
    versions.set(path, known);
  }
  return versions;
}
