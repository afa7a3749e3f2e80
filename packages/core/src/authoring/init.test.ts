import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { findProject } from '../project/find-project.ts';
import { ensureProject } from './init.ts';

test('a plan that a sparse checkout leaves out is brought back, not begun anew', () => {
  using it = createProject();
  it.story('x');
  it.write('src/a.txt', 'a\n');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'A plan');
  it.git('sparse-checkout', 'set', 'src');
  // What git does not track stays where it is.
  rmSync(it.paths.saga, { recursive: true, force: true });
  const remedy = 'git sparse-checkout add .saga';
  expect(() => findProject(it.root)).toThrow(
    expect.objectContaining({ code: 'no-project', hint: expect.stringContaining(remedy) }),
  );
  expect(() => ensureProject(it.root)).toThrow(
    expect.objectContaining({ code: 'already-exists', hint: `Bring it back: ${remedy}` }),
  );
  expect(existsSync(it.paths.saga)).toBe(false);
  it.git(...remedy.split(' ').slice(1));
  expect(findProject(join(it.root, 'src'))).toEqual({ root: it.root });
  expect(ensureProject(it.root).created).not.toContain(it.paths.stories);
});

test('a sparse checkout without a plan gets one', () => {
  using it = createProject();
  rmSync(it.paths.saga, { recursive: true, force: true });
  it.write('src/a.txt', 'a\n');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'No plan');
  it.git('sparse-checkout', 'set', 'src');
  expect(ensureProject(it.root).created).toContain(it.paths.config);
});
