import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PLAN_FOLDER } from '@saga-ai/types/plan/plan-paths';
import { SagaError, toWriteError } from '../errors.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { formatJson } from '../files/json-text.ts';
import { readIfReadable } from '../files/read-text.ts';
import { askProgram } from '../processes/run.ts';
import { findGitRoot, lookForProject } from '../project/find-project.ts';
import { isSparse } from '../project/git-files.ts';
import { buildPaths, ignoreFile, MACHINE_FOLDERS, type Paths } from '../project/paths.ts';
import { proposeSetup, type SetupStep } from './propose-setup.ts';
import { proposeVerify, type VerifyProposal } from './propose-verify.ts';

const IGNORED = [...MACHINE_FOLDERS.map((name) => `/${name}/`), '.*.tmp'];

export interface EnsuredProject {
  paths: Paths;
  created: string[];
  /** The setup commands in the new settings; empty if there was a settings file before. */
  setup: SetupStep[];
  /** The verify command in the new settings; undefined if none was found or there was a settings file before. */
  verify: VerifyProposal | undefined;
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
  requireWholePlan(paths);
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
  ensure(ignoreFile(paths), `${IGNORED.join('\n')}\n`);
  if (existsSync(paths.config)) return { paths, created, setup: [], verify: undefined };
  const files = lookInto(paths.root);
  const setup = proposeSetup(files);
  const verify = proposeVerify(files);
  const command = setup.map((it) => it.command).join(' && ');
  ensure(
    paths.config,
    formatJson({
      gate: verify ? { verify: verify.command } : undefined,
      worktree: command === '' ? undefined : { setup: command },
    }),
  );
  return { paths, created, setup, verify };
}

/** Throws if a sparse checkout leaves a plan out that git has: a second one would hide it. */
function requireWholePlan({ root, saga }: Paths): void {
  if (existsSync(saga) || !isSparse(root)) return;
  // `S` marks a file that is not in the checkout.
  const listed = askProgram('git', ['-C', root, 'ls-files', '-t', '--', PLAN_FOLDER]);
  if (!/^S /m.test(listed)) return;
  throw new SagaError(
    'already-exists',
    `git has a plan in ${saga}, but this sparse checkout leaves it out.`,
    'Bring it back: git sparse-checkout add .saga',
  );
}

/** Proposes how to set up a fresh worktree of the repository in a folder. */
export const findSetup = (root: string): SetupStep[] => proposeSetup(lookInto(root));

function lookInto(root: string) {
  const read = (name: string) => readIfReadable(join(root, name));
  const json = parsePackage(read('package.json') ?? '');
  return {
    has: (name: string) => existsSync(join(root, name)),
    read,
    package: json,
  };
}

function parsePackage(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // The file is missing or broken.
    return undefined;
  }
}
