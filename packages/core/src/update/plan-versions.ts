import { storyPath } from '@saga-ai/types/plan/plan-paths';
import type { Git } from '../git/git.ts';
import { readBlobs } from '../git/read-blobs.ts';
import { isPlanFile, type PlanTexts } from '../plan/plan-digest.ts';

/** The subject of the commit with which a story's branch takes over an edited plan. */
export const formatTakeSubject = (storyId: string): string =>
  `saga: take the plan of ${storyId} from the main checkout`;

/** Reads the plan of a story as a commit has it. Empty if the commit does not have the story. */
export async function readPlanAt(git: Git, commit: string, storyId: string): Promise<PlanTexts> {
  const listed = await git.attempt(['ls-tree', '-z', `${commit}:${storyPath(storyId)}`]);
  if (listed.code !== 0) return new Map();
  const files = listed.stdout.split('\0').flatMap((record) => {
    const [, blob, name] = /^\d+ blob (\w+)\t(.*)$/s.exec(record) ?? [];
    return blob !== undefined && name !== undefined && isPlanFile(name) ? [{ blob, name }] : [];
  });
  const texts = await readBlobs(
    git,
    files.map(({ blob }) => blob),
  );
  return new Map(files.map(({ name }, index) => [name, texts[index] ?? '']));
}

/**
 * Finds the plan that the branch last had in common with the main checkout: what it began with, or
 * what it took over since.
 */
export async function findCommonPlan(git: Git, storyId: string, other: string): Promise<PlanTexts> {
  const parted = (await git.attempt(['merge-base', other, 'HEAD'])).stdout.trim();
  const since = parted === '' ? [] : [`^${parted}`];
  const subjects = `^(${formatTakeSubject(storyId)}|saga: begin story ${storyId})$`;
  const grep = ['-E', `--grep=${subjects}`];
  const taken = await git.attempt(['log', '-1', '--format=%H', ...grep, 'HEAD', ...since]);
  const commit = taken.stdout.trim() || parted;
  return commit === '' ? new Map() : readPlanAt(git, commit, storyId);
}
