import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SagaError, toWriteError } from '../errors.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { formatJson } from '../files/json-text.ts';
import { findGitRoot, lookForProject } from '../project/find-project.ts';
import { buildPaths, type Paths } from '../project/paths.ts';

const IGNORED = ['/worktrees/', '/runs/', '/cache/', '.*.tmp'];

/** Makes sure a repository has a `.saga`; what exists already stays as it is. */
export function ensureProject(from: string): { paths: Paths; created: string[] } {
  const gitRoot = findGitRoot(from);
  if (gitRoot === undefined) {
    throw new SagaError(
      'not-a-git-repository',
      `${from} is not inside a git repository.`,
      'SAGA keeps its plan in git. Run git init first.',
    );
  }
  // A .saga that lies above the repository, in a home folder say, belongs to something else.
  const project = lookForProject(from);
  const ours =
    project && (project.insideStory || !relative(gitRoot, project.root).startsWith('..'));
  const paths = buildPaths(ours ? project.root : gitRoot);
  const created: string[] = [];
  const ensure = (path: string, text: string) => {
    if (existsSync(path)) return;
    writeFileAtomic(path, text);
    created.push(path);
  };
  try {
    ensureFolder(paths.saga);
  } catch (error) {
    throw toWriteError(error, paths.saga);
  }
  ensure(join(paths.saga, '.gitignore'), `${IGNORED.join('\n')}\n`);
  ensure(paths.config, formatJson({}));
  return { paths, created };
}
