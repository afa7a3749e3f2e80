import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { buildPaths, overviewIndexFile } from '@saga-ai/core/project/paths';
import type { Candidate } from '../measure/candidate.ts';
import { LIST, READY, READY_COLD, VERSION } from '../measure/rows.ts';
import { makeProject } from '../project/make-project.ts';
import type { Plan } from '../project/plan.ts';
import { runOrStop } from '../project/run-or-stop.ts';

/** The index remembers only files that were left alone for a moment. */
const SETTLE = 200;

/** The installed command, on a project of its own for each plan. */
export async function prepareSaga(
  workshop: string,
  saga: string,
  plans: ReadonlyMap<number, Plan>,
  env: NodeJS.ProcessEnv,
): Promise<Candidate[]> {
  const candidate = (row: string, folder: string, word: string, prepare = () => {}): Candidate => {
    const command = [process.execPath, saga, word];
    return { program: 'saga', row, command, folder, env, prepare };
  };
  const candidates = [candidate(VERSION, workshop, '--version')];
  for (const [size, plan] of plans) {
    const root = join(workshop, 'saga', String(size));
    mkdirSync(root, { recursive: true });
    makeProject(root, plan);
    await setTimeout(SETTLE);
    checkReady(saga, root, plan, env);
    const paths = buildPaths(root);
    const needsIndex = () => {
      if (!existsSync(overviewIndexFile(paths))) throw new Error(`${root} has no index.`);
    };
    const dropIndex = () => rmSync(paths.cache, { recursive: true, force: true });
    candidates.push(
      candidate(READY(size), root, 'ready', needsIndex),
      candidate(READY_COLD(size), root, 'ready', dropIndex),
      candidate(LIST(size), root, 'list', needsIndex),
    );
  }
  return candidates;
}

/** It must have understood the plan before its speed means anything; this also writes the index. */
function checkReady(saga: string, root: string, plan: Plan, env: NodeJS.ProcessEnv): void {
  const printed = runOrStop(process.execPath, [saga, 'ready', '--json'], root, env);
  const { stories, problems } = JSON.parse(printed);
  if (stories.length !== plan.ready || problems.length > 0) {
    throw new Error(`saga sees ${stories.length} ready stories, not ${plan.ready}.`);
  }
}
