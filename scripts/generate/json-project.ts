import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small project in a temp folder, with all that a command may be asked about. */
export interface SampleProject extends Disposable {
  root: string;
  write(path: string, content: unknown): void;
}

const PAST = '2026-01-01T10:00:00.000Z';

/**
 * The client and tmux are stand-ins of a few lines: what they would do is not what is printed, and
 * the page must not depend on what is installed.
 */
export function createSampleProject(): SampleProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'saga-generate-')));
  const root = join(folder, 'shop');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  const write = (path: string, content: unknown) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const program = (name: string, lines: string[]) => {
    write(join('../bin', name), ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(join(folder, 'bin', name), 0o755);
  };
  setEnvironment(folder);
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
  program('claude', ['echo "2.1.325 (Claude Code)"']);
  program('tmux', [
    'for word; do [ "$last" = --output-file ] && file=$word; last=$word; done',
    `[ -z "$file" ] || echo '{"time":"${PAST}","type":"worktree:created"}' > "$file"`,
  ]);
  writePlan(write);
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
  writeRun(write, git);
  return { root, write, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Nothing of the person who generates may show. */
function setEnvironment(folder: string): void {
  for (const name of Object.keys(process.env)) {
    if (/^(SAGA_|CLAUDE|GIT_|VISUAL$|TMUX)/.test(name)) delete process.env[name];
  }
  Object.assign(process.env, {
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
    HOME: folder,
    EDITOR: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.org',
    SAGA_SESSION_DIR: join(folder, 'sessions'),
  });
}

type Write = SampleProject['write'];

function writePlan(write: Write): void {
  const story = (id: string, fields: object, status: string) => {
    write(`.saga/stories/${id}/story.json`, { id, title: id, description: 'd', ...fields });
    const state = { status, blockedBy: [] };
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
  story('pay', { epic: 'shop' }, 'pending');
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
function writeRun(write: Write, git: (...args: string[]) => string): void {
  const record = (story: string, more: object) => {
    const session = `saga-story-${story}-1767261600000`;
    const of = { version: 1, session, story, host: hostname(), pid: 1, started: 1 };
    const spent = { model: 'opus', cycle: 1, tokens: 1, costUsd: 0.1 };
    const files = { outputFile: '/nowhere', tmux: true, startedAt: PAST };
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
