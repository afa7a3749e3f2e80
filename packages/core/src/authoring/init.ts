import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SagaError, toWriteError } from '../errors.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { formatJson } from '../files/json-text.ts';
import { findGitRoot, lookForProject } from '../project/find-project.ts';
import { buildPaths, type Paths } from '../project/paths.ts';
import { proposeSetup, type SetupStep } from './propose-setup.ts';

const IGNORED = ['/worktrees/', '/runs/', '/cache/', '.*.tmp'];

export interface EnsuredProject {
  paths: Paths;
  created: string[];
  /** The setup commands in the new settings; empty if there was a settings file before. */
  setup: SetupStep[];
}

/** Creates `.saga` in a repository if it is missing. Existing files stay unchanged. */
export function ensureProject(from: string): EnsuredProject {
  const gitRoot = findGitRoot(from);
  if (gitRoot === undefined) {
    throw new SagaError(
      'not-a-git-repository',
      `${from} is not inside a git repository.`,
      'SAGA keeps its plan in git. Run git init first.',
    );
  }
  // A .saga above the repository, for example in the home folder, belongs to something else.
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
  const setup = existsSync(paths.config) ? [] : findSetup(paths.root);
  const command = setup.map((it) => it.command).join(' && ');
  ensure(paths.config, formatJson(command === '' ? {} : { worktree: { setup: command } }));
  return { paths, created, setup };
}

export function findSetup(root: string): SetupStep[] {
  const json = readPackage(join(root, 'package.json'));
  const has = (name: string) => existsSync(join(root, name));
  return proposeSetup({ has, ...(json ? { package: json } : {}) });
}

function readPackage(file: string): object | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // The file is missing or broken.
    return undefined;
  }
}
