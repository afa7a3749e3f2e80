import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPaths, sessionRecordFile, storyFile } from '@saga-ai/core/project/paths';
import { formatSession, formatStoryBranch } from '@saga-ai/types/words/names';
import { makeProject } from '../project/make-project.ts';
import { buildPlan, type Plan } from '../project/plan.ts';
import { runOrStop } from '../project/run-or-stop.ts';

const SESSIONS = 500;
const LINES_IN_LOG = 200_000;
const FILES_IN_BRANCH = 300;

export interface DashboardProject {
  plan: Plan;
  /** A story with a branch. */
  story: string;
  /** A session with a long log. */
  session: string;
}

/** A plan with what work leaves behind: sessions, one of them with a long log, and a branch. */
export function makeDashboardProject(
  root: string,
  stories: number,
  env: NodeJS.ProcessEnv,
): DashboardProject {
  mkdirSync(root, { recursive: true });
  const plan = buildPlan(stories);
  makeProject(root, plan);
  const story = plan.stories[1]?.story;
  if (!story) throw new Error('The plan has no story.');
  const branch = formatStoryBranch(story.id);
  const text = JSON.stringify({ ...story, branch }, null, 2);
  writeFileSync(storyFile(join(buildPaths(root).stories, story.id)), `${text}\n`);
  makeBranch(root, branch, env);
  return { plan, story: story.id, session: makeSessions(root, story.id) };
}

/** The plan itself is left out of it: to add so many files takes git longer than all that is measured. */
function makeBranch(root: string, branch: string, env: NodeJS.ProcessEnv): void {
  const person = ['-c', 'user.name=B', '-c', 'user.email=b@example.org'];
  const git = (...args: string[]) => runOrStop('git', [...person, ...args], root, env);
  const commit = (name: string, text: string) => {
    for (let i = 0; i < FILES_IN_BRANCH; i++) writeFileSync(join(root, `file-${i}.txt`), text);
    git('add', '-A');
    git('commit', '-q', '-m', name);
  };
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, '.gitignore'), '.saga\n*.jsonl\n');
  commit('First', 'one\n'.repeat(50));
  git('checkout', '-q', '-b', branch);
  commit('Second', 'one\ntwo\n'.repeat(50));
  git('checkout', '-q', 'main');
}

function makeSessions(root: string, story: string): string {
  const paths = buildPaths(root);
  mkdirSync(paths.sessions, { recursive: true });
  const outputFile = join(root, 'session.jsonl');
  const time = '2026-01-01T00:00:00Z';
  const call = { id: 'a', name: 'Bash', kind: 'command', summary: 'x'.repeat(150), input: {} };
  const line = JSON.stringify({ time, type: 'run:tool', ...call });
  writeFileSync(outputFile, `${line}\n`.repeat(LINES_IN_LOG));
  const name = (timestamp: number) => formatSession({ storyId: story, timestamp });
  for (let i = 1; i <= SESSIONS; i++) {
    const session = name(i);
    const owner = { host: 'elsewhere', pid: 1, started: 1 };
    const spent = { cycle: 1, tokens: 1000, costUsd: 1, outcome: 'done' };
    const record = { version: 1, session, story, ...owner, ...spent, outputFile, tmux: true };
    const text = JSON.stringify({ ...record, model: 'opus', startedAt: time, endedAt: time });
    writeFileSync(sessionRecordFile(paths, session), text);
  }
  return name(SESSIONS);
}
