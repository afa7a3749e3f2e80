import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { PLAIN_ENVIRONMENT, type RunOptions, runProgram, SAGA } from '../support/run-program.ts';
import { createTempFolder } from './temp-folder.ts';

/** A small project with all that a command may be asked about: every kind of item, and of trouble. */
export interface SampleProject extends Disposable {
  root: string;
  write(path: string, content: unknown): void;
  saga(args: string[], options?: RunOptions): ReturnType<typeof runProgram>;
}

const PAST = '2026-01-01T10:00:00.000Z';
const GIT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** The client and tmux are stand-ins of a few lines: what they would do is not what is printed. */
export function createSampleProject(): SampleProject {
  const temp = createTempFolder();
  const folder = temp.path;
  const root = join(folder, 'shop');
  const env = {
    ...GIT,
    PATH: `${join(folder, 'bin')}:${PLAIN_ENVIRONMENT.PATH}`,
    HOME: folder,
    EDITOR: 'true',
    SAGA_SESSION_DIR: join(folder, 'sessions'),
  };
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...PLAIN_ENVIRONMENT, ...env },
    }).trim();
  const write = (path: string, content: unknown) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const program = (name: string, lines: string[]) => {
    write(join('../bin', name), ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(join(folder, 'bin', name), 0o755);
  };
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
  program('claude', ['echo "2.1.325 (Claude Code)"']);
  program('tmux', [
    'for word; do [ "$last" = --output-file ] && file=$word; last=$word; done',
    `[ -z "$file" ] || echo '{"time":"${PAST}","type":"worktree:created","path":"/w","branch":"b","base":"main","ahead":0}' > "$file"`,
  ]);
  writePlan(write);
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
  writeRun(write, git, folder);
  return {
    root,
    write,
    saga: (args, options = {}) =>
      runProgram(SAGA, args, { cwd: root, ...options, env: { ...env, ...options.env } }),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

type Write = SampleProject['write'];

function writePlan(write: Write): void {
  const story = (id: string, fields: object, status: string) => {
    write(`.saga/stories/${id}/story.json`, { id, title: id, description: 'd', ...fields });
    const state = { status, blockedBy: [], ours: { kept: true } };
    write(`.saga/stories/${id}/one.json`, {
      id: 'one',
      subject: 'One',
      description: 'd',
      ...state,
    });
  };
  write('.saga/config.json', {});
  write('.saga/.gitignore', '/worktrees/\n/runs/\n/cache/\n');
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
  const child = (id: string, ...blockedBy: string[]) => ({ id, blockedBy });
  const children = [child('cart'), child('pay', 'cart')];
  write('.saga/epics/shop.json', { id: 'shop', title: 'Shop', description: 'd', children });
  // Something wrong, so that the form of a problem is among what is printed.
  write('.saga/stories/broken/story.json', '{');
}

/** What a worker that is over has left. */
function writeRun(write: Write, git: (...args: string[]) => string, folder: string): void {
  const outputFile = join(folder, 'events.jsonl');
  writeFileSync(outputFile, `{"time":"${PAST}","type":"worktree:created"}\n`);
  const record = (story: string, more: object) => {
    const session = `saga-story-${story}-1767261600000`;
    const of = { version: 1, session, story, host: hostname(), pid: 1, started: 1 };
    const spent = { model: 'opus', cycle: 1, tokens: 1, costUsd: 0.1 };
    const files = { outputFile, tmux: true, startedAt: PAST };
    write(`.saga/runs/sessions/${session}.json`, { ...of, ...files, ...spent, ...more });
  };
  record('done', { endedAt: PAST, outcome: 'done', reason: 'all tasks completed, gate passed' });
  // No process of that number began at that time: this one died.
  record('cart', {});
  const head = git('rev-parse', 'HEAD');
  const tree = git('rev-parse', 'HEAD^{tree}');
  const checks = [{ name: 'tasks', outcome: 'passed', detail: '1 of 1 completed' }];
  const found = { outcome: 'passed', base: head, head, tree, checks, restored: [] };
  const times = { startedAt: PAST, endedAt: PAST };
  write('.saga/stories/done/evidence.json', { version: 1, story: 'done', ...found, ...times });
}
