import { chmodSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type RunOptions, runProgram, SAGA } from '../programs/run-program.ts';
import { createProject, type Project } from './project.ts';
import { commitAll } from './repository.ts';

/** A small project with every kind of item and every kind of trouble that a command can show. */
export interface SampleProject extends Disposable {
  root: string;
  write(path: string, content: unknown): void;
  saga(args: string[], options?: RunOptions): ReturnType<typeof runProgram>;
}

const PAST = '2026-01-01T10:00:00.000Z';

/** Creates the project. The client and tmux are scripts of a few lines, because no output depends on what they do. */
export function createSampleProject(): SampleProject {
  const project = createProject({ name: 'shop', remote: null });
  const { folder, root, write } = project;
  const env = {
    ...project.env,
    PATH: `${join(folder, 'bin')}:${project.env.PATH}`,
    EDITOR: 'true',
    SAGA_SESSION_DIR: join(folder, 'sessions'),
  };
  const program = (name: string, lines: string[]) =>
    chmodSync(write(join('../bin', name), ['#!/bin/sh', ...lines, ''].join('\n')), 0o755);
  program('claude', ['echo "2.1.325 (Claude Code)"']);
  program('tmux', [
    'for word; do [ "$last" = --output-file ] && file=$word; last=$word; done',
    `[ -z "$file" ] || echo '{"time":"${PAST}","type":"worktree:created","path":"/w","branch":"b","base":"main","ahead":0}' > "$file"`,
  ]);
  writePlan(project);
  commitAll(project.gitIn, root, 'The plan');
  writeRun(project);
  return {
    root,
    write,
    saga: (args, options = {}) =>
      runProgram(SAGA, args, { cwd: root, ...options, env: { ...env, ...options.env } }),
    [Symbol.dispose]: () => project[Symbol.dispose](),
  };
}

function writePlan({ write, ...project }: Project): void {
  const story = (id: string, fields: object, status: string) =>
    project.story(id, fields, { one: { status, ours: { kept: true } } });
  const more = { guidance: 'g', doneWhen: 'd', avoid: 'a', verify: 'true', writeFiles: ['**'] };
  story(
    'cart',
    { ...more, epic: 'shop', branch: 'story/cart', pr: 'https://example.org/1' },
    'in_progress',
  );
  story('pay', { epic: 'shop', labels: ['money'], ours: 1 }, 'pending');
  story('done', {}, 'completed');
  story('old', {}, 'pending');
  write(
    '.saga/stories/pay/journal.md',
    `## ${PAST} Blocker: Which?\n\nBoth fit.\n\n## Blocker: By hand\n\n## Note: By hand\n`,
  );
  project.epic('shop', { cart: [], pay: ['cart'] });
  // This story is broken, so that the output contains a problem.
  write('.saga/stories/broken/story.json', '{');
}

/** Writes what an ended worker leaves. */
function writeRun({ write, git, folder }: Project): void {
  const outputFile = join(folder, 'events.jsonl');
  writeFileSync(outputFile, `{"time":"${PAST}","type":"worktree:created"}\n`);
  const record = (story: string, more: object) => {
    const session = `saga-story-${story}-1767261600000`;
    const of = { version: 1, session, story, host: hostname(), pid: 1, started: 1 };
    const spent = { model: 'opus', cycle: 1, tokens: 1, costUsd: 0.1 };
    const files = { outputFile, tmux: true, startedAt: PAST };
    write(`.git/saga/runs/sessions/${session}.json`, { ...of, ...files, ...spent, ...more });
  };
  record('done', { endedAt: PAST, outcome: 'done', reason: 'all tasks completed, gate passed' });
  // No process of that number began at that time, so this session counts as died.
  record('cart', {});
  const head = git('rev-parse', 'HEAD').trim();
  const tree = git('rev-parse', 'HEAD^{tree}').trim();
  const checks = [{ name: 'tasks', outcome: 'passed', detail: '1 of 1 completed' }];
  const found = { outcome: 'passed', base: head, head, tree, checks, restored: [] };
  const times = { startedAt: PAST, endedAt: PAST };
  write('.saga/stories/done/evidence.json', { version: 1, story: 'done', ...found, ...times });
}
