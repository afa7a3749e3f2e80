import type { Problem } from '@saga-ai/types/problem';
import { SagaError } from '../errors.ts';
import { findGitRoot } from '../project/find-project.ts';
import { type Paths, projectLock } from '../project/paths.ts';
import { loadConfig } from './config.ts';
import { hasInterrupted } from './create.ts';
import { findLockOwner } from './lock.ts';
import { loadOverview } from './overview.ts';

/** Every problem of a project, from files read afresh. */
export async function checkProject(paths: Paths): Promise<{
  problems: Problem[];
  stories: number;
  epics: number;
}> {
  const overview = await loadOverview(paths, { index: false });
  return {
    problems: [...checkSurroundings(paths), ...checkConfigFile(paths), ...overview.problems],
    stories: overview.stories.length,
    epics: overview.epics.length,
  };
}

function checkSurroundings(paths: Paths): Problem[] {
  const problems: Problem[] = [];
  if (findGitRoot(paths.root) === undefined) {
    problems.push({
      code: 'not-a-git-repository',
      message: `${paths.root} is not inside a git repository.`,
      hint: 'Stories run in git worktrees. Run git init there.',
    });
  }
  if (hasInterrupted(paths) && !findLockOwner(projectLock(paths))) {
    problems.push({
      code: 'unfinished-create',
      message: 'An earlier saga create was cut off before all its files were in place.',
      hint: 'The next saga create or saga archive finishes it; nothing is lost.',
    });
  }
  return problems;
}

function checkConfigFile(paths: Paths): Problem[] {
  try {
    loadConfig(paths);
    return [];
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    const { code, message, hint, problems } = error;
    return problems.length > 0 ? [...problems] : [{ code, message, hint }];
  }
}
