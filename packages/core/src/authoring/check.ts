import type { StoryView } from '@saga-ai/types/screens/overview';
import type { Problem } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { loadOverview } from '../overview/overview.ts';
import { loadSoundConfig } from '../plan/config.ts';
import { listInterrupted } from '../plan/staging.ts';
import { findLockOwner } from '../processes/lock.ts';
import type { Environment } from '../processes/run.ts';
import { displayPath } from '../project/display-path.ts';
import { findGitRoot } from '../project/find-project.ts';
import { mainStoryFolder, type Paths, projectLock, storyBranch } from '../project/paths.ts';

/** Finds every problem of a project; reads all files again. git is started with `env`. */
export async function checkProject(
  paths: Paths,
  env: Environment,
): Promise<{
  problems: Problem[];
  stories: number;
  epics: number;
}> {
  const overview = await loadOverview(paths, env, { index: false, withUnknown: true });
  const coming = findLockOwner(projectLock(paths)) ? new Set<string>() : listInterrupted(paths);
  // Items that the next writer completes are not broken.
  const isComing = (id: string | undefined) => id !== undefined && coming.has(id);
  const lasting = overview.problems.filter(
    ({ story, epic }) => !isComing(story) && !isComing(epic),
  );
  return {
    problems: [
      ...checkRepository(paths),
      ...(coming.size > 0 ? [describeUnfinished(coming)] : []),
      ...checkConfigFile(paths),
      ...lasting,
      ...overview.stories.flatMap((story) => describeCopies(paths, story)),
    ],
    stories: overview.stories.length,
    epics: overview.epics.length,
  };
}

function describeCopies(paths: Paths, { id, home, needsYou }: StoryView): Problem[] {
  if (!needsYou?.some(({ kind }) => kind === 'copies')) return [];
  const file = displayPath(paths.root, mainStoryFolder(paths, id));
  const place = home === file ? `on branch ${storyBranch(paths, id)}` : `in ${home}`;
  return [
    {
      code: 'two-copies',
      message: `${file} was edited, but story ${id} works with its copy ${place}.`,
      hint: `Take the edited plan over: saga update ${id}. To drop the edit, restore ${file}.`,
      file,
      story: id,
    },
  ];
}

function checkRepository(paths: Paths): Problem[] {
  if (findGitRoot(paths.root) !== undefined) return [];
  return [
    {
      code: 'not-a-git-repository',
      message: `${paths.root} is not inside a git repository.`,
      hint: 'Stories run in git worktrees. Run git init there.',
    },
  ];
}

function describeUnfinished(coming: ReadonlySet<string>): Problem {
  return {
    code: 'unfinished-create',
    message: `An earlier saga create, edit or migrate was interrupted before all of ${[...coming].join(', ')} was in place.`,
    hint: 'The next saga create or archive finishes it; nothing is lost.',
  };
}

export function checkConfigFile(paths: Paths): Problem[] {
  try {
    return loadSoundConfig(paths).problems;
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    const { code, message, hint, problems } = error;
    return problems.length > 0 ? [...problems] : [{ code, message, hint }];
  }
}
