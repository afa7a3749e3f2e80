import { storyPath } from '@saga-ai/types/plan/plan-paths';
import type { Git } from '../../git/git.ts';
import { readBlobs } from '../../git/read-blobs.ts';
import { isPlanFile, type PlanTexts } from '../../plan/plan-digest.ts';

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
