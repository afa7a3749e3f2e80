import { mkdirSync } from 'node:fs';
import { PLAIN_ENVIRONMENT } from '../programs/run-program.ts';
import { openPlanFiles, type PlanFiles } from './plan-files.ts';
import { initRepository, openGit } from './repository.ts';
import { createTempFolder } from './temp-folder.ts';

/** A git repository without a commit, and an empty `.saga` in it. */
export interface Plan extends PlanFiles, Disposable {}

export function createPlan(): Plan {
  const folder = createTempFolder();
  const files = openPlanFiles(folder.path, ['work']);
  initRepository(openGit(PLAIN_ENVIRONMENT), files.root);
  mkdirSync(files.paths.saga);
  return { ...files, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
