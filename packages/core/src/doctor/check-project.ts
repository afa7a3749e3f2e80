import { accessSync, constants } from 'node:fs';
import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { count } from '@saga-ai/types/words/amounts';
import { checkProject } from '../authoring/check.ts';
import { findSetup } from '../authoring/init.ts';
import { SagaError } from '../errors.ts';
import { LITTLE_SPACE, measureFreeSpace, TOO_LITTLE_SPACE } from '../files/free-space.ts';
import { loadConfig, loadConfigOrDefaults, loadProjectSettings } from '../plan/config.ts';
import type { Environment } from '../processes/run.ts';
import { displayPath } from '../project/display-path.ts';
import type { Paths } from '../project/paths.ts';
import { quote } from '../project/quote.ts';
import { checkWorktreesFolder } from './check-worktrees-folder.ts';

/** Checks that the settings and the plan can be read, and that the project can be written. */
export async function checkThisProject(paths: Paths, env: Environment): Promise<Finding[]> {
  return [
    checkSettings(paths, env),
    await checkPlan(paths, env),
    ...checkSetup(paths, env),
    checkWritable(paths),
    ...checkWorktreesFolder(paths, env),
  ];
}

function checkSettings(paths: Paths, environment: Environment): Finding {
  try {
    const { config, origins } = loadConfig(paths, { environment });
    const [personal] = loadProjectSettings(paths).problems;
    if (personal) return warning('settings', personal.message, personal.hint);
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

/** Warns if a new worktree would lack dependencies or submodules. Nobody knows beforehand whether a setup works. */
function checkSetup(paths: Paths, environment: Environment): Finding[] {
  const { setup } = loadConfigOrDefaults(paths, { environment }).worktree;
  const steps = findSetup(paths.root).filter(
    ({ because }) => setup === null || (because === '.gitmodules' && !/submodule/.test(setup)),
  );
  if (steps.length === 0) return [];
  const files = steps.map(({ because }) => because).join(' and ');
  const command = [...steps.map((it) => it.command), ...(setup === null ? [] : [setup])];
  return [
    warning(
      'setup',
      `worktree.setup does not install what ${files} lists, so a new worktree lacks it`,
      `saga config worktree.setup ${quote(command.join(' && '))}`,
    ),
  ];
}

async function checkPlan(paths: Paths, env: Environment): Promise<Finding> {
  const { problems, stories, epics } = await checkProject(paths, env);
  const size = `${count(stories, 'story', 'stories')}, ${count(epics, 'epic')}`;
  // Other checks report on settings and repository.
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

function checkSpace(folder: string): Finding {
  const { bytes, told } = measureFreeSpace(folder);
  const fix = 'Make room: each story has a checkout of its own';
  if (bytes < TOO_LITTLE_SPACE) return problem('disk', `${told} free in ${folder}`, fix);
  return bytes < LITTLE_SPACE
    ? warning('disk', `${told} free in ${folder}`, fix)
    : ok('disk', `${told} free`);
}
