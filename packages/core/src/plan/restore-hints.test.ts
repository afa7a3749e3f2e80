import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { scanStory } from './scan-story.ts';

const HOME = '.saga/stories/x';

const hints = (it: Project, home: string) =>
  scanStory(it.root, home, 'x').problems.map((problem) => problem.hint);

/** Runs the command of a hint, as a person copies it, in any folder. */
function follow(it: Project, hint: string | undefined, cwd: string): void {
  const command = /git .*?(?=, or |$)/.exec(hint ?? '')?.[0] ?? 'false';
  execFileSync('sh', ['-c', command], { cwd, env: it.env, stdio: 'pipe' });
}

test('the hint for a broken file in a worktree restores the file there', async () => {
  using it = createProject({ name: 'my project' });
  it.story('x');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q');
  const { folder } = await ensureWorktree(it.worker());
  const home = join(folder, HOME);
  const inside = `git -C '${folder}' checkout -- ${HOME}`;
  const broken: [file: string, text: string | null, hint: string][] = [
    ['one.json', '{', `Fix the file, or restore it: ${inside}/one.json`],
    ['one.json', '{}', `Correct the field, or restore the file: ${inside}/one.json`],
    ['story.json', null, `Restore it: ${inside}/story.json, or remove the folder.`],
  ];
  for (const [file, text, hint] of broken) {
    if (text === null) rmSync(join(home, file));
    else it.write(`../my project.stories/x/${HOME}/${file}`, text);
    const [first] = hints(it, home);
    expect(first).toBe(hint);
    follow(it, first, it.folder);
    expect(hints(it, home)).toEqual([]);
  }
});

test('the hint for a broken file in the main checkout names no folder', () => {
  using it = createProject();
  it.story('x');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  rmSync(join(it.root, HOME, 'story.json'));
  const [first] = hints(it, join(it.root, HOME));
  expect(first).toBe(`Restore it: git checkout -- ${HOME}/story.json, or remove the folder.`);
  follow(it, first, it.root);
  expect(hints(it, join(it.root, HOME))).toEqual([]);
});
