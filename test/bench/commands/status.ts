import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { buildPaths, evidenceFile } from '@saga-ai/core/project/paths';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import type { Candidate } from '../measure/candidate.ts';
import { STATUS, STATUS_GIT_COLD } from '../measure/rows.ts';
import { makeProject } from '../project/make-project.ts';
import { buildPlan } from '../project/plan.ts';
import { runOrStop } from '../project/run-or-stop.ts';

const STORIES = 10_000;
const BRANCHES = 50;
/** The index remembers only files that were left alone for a moment. */
const SETTLE = 200;

/** `saga status` in a repository in which every fourth story is merged and some have branches. */
export async function prepareStatus(
  workshop: string,
  saga: string,
  env: NodeJS.ProcessEnv,
): Promise<Candidate[]> {
  const root = join(workshop, 'status');
  mkdirSync(root, { recursive: true });
  const plan = buildPlan(STORIES);
  makeProject(root, plan);
  const { stories, cache } = buildPaths(root);
  const done = plan.stories.filter((_, i) => i % 4 === 0).map(({ story }) => story.id);
  for (const id of done) {
    writeFileSync(evidenceFile(join(stories, id)), `${JSON.stringify(buildEvidence(id))}\n`);
  }
  writeFileSync(join(root, '.saga/.gitignore'), '/runs/\n/cache/\n');
  const person = ['-c', 'user.name=B', '-c', 'user.email=b@example.org'];
  const git = (...args: string[]) => runOrStop('git', [...person, ...args], root, env);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'Plan');
  for (const { story } of plan.stories.slice(1, BRANCHES + 1)) {
    git('branch', formatStoryBranch(story.id));
  }
  await setTimeout(SETTLE);
  const printed = runOrStop(process.execPath, [saga, 'status', '--json'], root, env);
  const found = JSON.parse(printed).stories.filter((it: { state: string }) => it.state === 'done');
  if (found.length !== done.length) throw new Error(`saga sees ${found.length} stories as done.`);
  const candidate = (row: string, prepare = () => {}): Candidate => {
    const command = [process.execPath, saga, 'status'];
    return { program: 'saga', row, command, folder: root, env, prepare };
  };
  return [
    candidate(STATUS),
    candidate(STATUS_GIT_COLD, () => rmSync(join(cache, 'git-facts.json'), { force: true })),
  ];
}

function buildEvidence(story: string) {
  const [at, hash] = ['2026-01-01T00:00:00.000Z', '1'.repeat(40)];
  const commits = { base: hash, head: hash, tree: hash };
  const result = { outcome: 'passed', checks: [], restored: [] };
  return { version: 1, story, ...commits, startedAt: at, endedAt: at, ...result };
}
