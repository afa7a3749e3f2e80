import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { markWorktree } from '@saga-ai/core/project/story-worktrees';
import { createProject, type Project } from './project.ts';
import { commitAll } from './repository.ts';

/** A project with story x, whose worktree has two commits. */
export interface BegunStory extends Project {
  worktree: string;
  /** Writes a file of the worktree. */
  put(path: string, text: string | Buffer): void;
  /** Returns everything of the worktree that must be the same after it was discarded and restored. */
  look(): Record<string, string>;
}

export function createBegunStory(): BegunStory {
  const it = createProject();
  it.story('x', {}, { one: {} });
  it.write('.gitattributes', '*.txt text eol=lf\n*.id ident\n');
  it.write('.gitignore', 'ignored/\n*.log\n');
  it.write('a.txt', 'one\n');
  it.write('b.txt', 'two\n');
  it.write('kept.log', 'tracked, although ignored\n');
  it.git('add', '-f', 'kept.log');
  commitAll(it.gitIn, it.root, 'Plan');
  it.git('push', '-q', 'origin', 'main');
  const worktree = join(it.worktrees, 'x');
  it.git('worktree', 'add', '-q', '-b', 'story/x', worktree);
  markWorktree(join(it.root, '.git/worktrees/x'), 'story/x', it.root);
  const put = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(worktree, path)), { recursive: true });
    writeFileSync(join(worktree, path), text);
  };
  for (const n of [1, 2]) {
    put('work.txt', `${n}\n`);
    commitAll(it.gitIn, worktree, `Work ${n}`);
  }
  const inside = (...args: string[]) => it.gitIn(worktree, ...args);
  const look = () => ({
    files: execFileSync('sh', ['-c', LIST], { cwd: worktree, encoding: 'utf8' }),
    head: inside('rev-parse', 'HEAD'),
    on: inside('rev-parse', '--abbrev-ref', 'HEAD'),
    branch: it.git('rev-parse', 'story/x'),
    index: inside('ls-files', '-s', '-v', '-z'),
    status: inside('status', '--porcelain=v2', '-z', '--untracked-files=all'),
  });
  return { ...it, worktree, put, look };
}

const LIST = `find . -path ./.git -prune -o ! -type d -printf '%p %y %m %l\\n' | sort
  find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0 sha256sum`;
