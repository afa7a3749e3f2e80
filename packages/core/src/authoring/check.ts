import type { Problem } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { loadOverview } from '../overview/overview.ts';
import { loadConfig } from '../plan/config.ts';
import { listInterrupted } from '../plan/staging.ts';
import { findLockOwner } from '../processes/lock.ts';
import { findGitRoot } from '../project/find-project.ts';
import { type Paths, projectLock } from '../project/paths.ts';

/** Finds every problem of a project; reads all files again. */
export async function checkProject(paths: Paths): Promise<{
  problems: Problem[];
  stories: number;
  epics: number;
}> {
  const overview = await loadOverview(paths, null, { index: false });
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
    ],
    stories: overview.stories.length,
    epics: overview.epics.length,
  };
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
    message: `An earlier saga create was interrupted before all of ${[...coming].join(', ')} was in place.`,
    hint: 'The next saga create or archive finishes it; nothing is lost.',
  };
}

export function checkConfigFile(paths: Paths): Problem[] {
  try {
    loadConfig(paths);
    return [];
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    const { code, message, hint, problems } = error;
    return problems.length > 0 ? [...problems] : [{ code, message, hint }];
  }
}
