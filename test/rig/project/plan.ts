import { mkdirSync } from 'node:fs';
import { PLAIN_ENVIRONMENT } from '../programs/run-program.ts';
import { completeStory } from './done.ts';
import { openPlanFiles, type PlanFiles } from './plan-files.ts';
import { initRepository, openGit } from './repository.ts';
import { createTempFolder } from './temp-folder.ts';

/** A git repository without a commit, and an empty `.saga` in it. */
export interface Plan extends PlanFiles, Disposable {
  /** Completes all tasks of a story and commits it with evidence that its gate passed. */
  done(id: string): void;
}

export function createPlan(): Plan {
  const folder = createTempFolder();
  const files = openPlanFiles(folder.path, ['work']);
  initRepository(openGit(PLAIN_ENVIRONMENT), files.root);
  mkdirSync(files.paths.saga);
  const done = (id: string) => completeStory(files, id);
  return { ...files, done, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
