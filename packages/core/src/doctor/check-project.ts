import { accessSync, constants, statfsSync } from 'node:fs';
import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { count } from '@saga-ai/types/words/amounts';
import { checkProject } from '../authoring/check.ts';
import { SagaError } from '../errors.ts';
import { openGit } from '../git/git.ts';
import { loadConfig } from '../plan/config.ts';
import { findOnPath } from '../processes/find-program.ts';
import { quote } from '../processes/quote.ts';
import type { Environment } from '../processes/run.ts';
import { displayPath } from '../project/display-path.ts';
import type { Paths } from '../project/paths.ts';
import { checkWorktreesFolder } from './check-worktrees-folder.ts';

/** The repository can be branched from, its settings and its plan can be read, and it can be written. */
export async function checkThisProject(paths: Paths, env: Environment): Promise<Finding[]> {
  return [
    // Without git there is nothing to say about a repository that its own check does not.
    ...(findOnPath('git', env) === undefined ? [] : [await checkRepository(paths, env)]),
    checkSettings(paths, env),
    await checkPlan(paths),
    checkWritable(paths),
    ...checkWorktreesFolder(paths, env),
  ];
}

async function checkRepository(paths: Paths, env: Environment): Promise<Finding> {
  const git = openGit(paths.root, env);
  const top = await git.attempt(['rev-parse', '--show-toplevel']);
  // A repository of another user is one all the same; git says how to trust it.
  if (/dubious ownership/.test(top.stderr)) {
    const fix = `If you trust it: git config --global --add safe.directory ${quote(paths.root)}`;
    return problem('repository', `${paths.root} belongs to another user`, fix);
  }
  if (top.code !== 0 || top.stdout.replace(/\n$/, '') !== paths.root) {
    const fix = 'Run git init there, or move .saga to the top of the repository';
    return problem('repository', `${paths.root} is not the top of a git repository`, fix);
  }
  if (await git.resolve('HEAD')) return ok('repository', paths.root);
  const fix = 'git add -A && git commit -m "First commit"';
  return problem('repository', 'has no commit yet, so there is nothing to branch from', fix);
}

function checkSettings(paths: Paths, environment: Environment): Finding {
  try {
    const { config, origins } = loadConfig(paths, { environment });
    const set = [...origins.values()].filter((it) => it !== 'default').length;
    if (config.gate.verify === null) {
      const fix = 'saga config gate.verify "npm test"';
      return warning(
        'settings',
        'gate.verify is not set: a story without its own verify is not tested',
        fix,
      );
    }
    return ok('settings', `${set} set, the rest by default`);
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    const more = error.problems.length - 1;
    return more > 0
      ? problem('settings', `${error.message} And ${count(more, 'more problem')}`, 'saga check')
      : problem('settings', error.message, error.hint);
  }
}

async function checkPlan(paths: Paths): Promise<Finding> {
  const { problems, stories, epics } = await checkProject(paths);
  const size = `${count(stories, 'story', 'stories')}, ${count(epics, 'epic')}`;
  // Settings and repository are told by checks of their own.
  const settings = displayPath(paths.root, paths.config);
  const found = problems.filter(
    ({ code, file }) =>
      !['invalid-config', 'not-a-git-repository'].includes(code) && file !== settings,
  );
  if (found.length === 0) return ok('plan', size);
  return warning('plan', `${size}, ${count(found.length, 'problem')}`, 'saga check');
}

function checkWritable(paths: Paths): Finding {
  try {
    accessSync(paths.saga, constants.W_OK | constants.X_OK);
  } catch {
    const fix = `chmod u+w ${quote(paths.saga)}, or use the account it belongs to`;
    return problem('permissions', `${paths.saga} cannot be written`, fix);
  }
  return checkSpace(paths.root);
}

const LITTLE = 1e9;
const TOO_LITTLE = 100e6;

export function checkSpace(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const told = free < LITTLE ? `${Math.round(free / 1e6)} MB` : `${Math.round(free / 1e9)} GB`;
  const fix = 'Make room: each story has a checkout of its own';
  if (free < TOO_LITTLE) return problem('disk', `${told} free in ${folder}`, fix);
  return free < LITTLE
    ? warning('disk', `${told} free in ${folder}`, fix)
    : ok('disk', `${told} free`);
}
