import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { openGit } from './git.ts';
import { openTree } from './project-tree.ts';

test('the files of a commit are read together, whatever their bytes and names are', async () => {
  using it = createProject();
  const odd = 'odd "name"\nü.txt';
  it.write('a.txt', 'a\n');
  it.write(odd, 'ü\n');
  writeFileSync(join(it.root, 'latin.txt'), Buffer.from([0xfc, 0x0a]));
  it.write('empty.txt', '');
  symlinkSync('a.txt', join(it.root, 'link'));
  commitAll(it.gitIn, it.root, 'Files');
  const commit = it.git('rev-parse', 'HEAD').trim();
  it.write('a.txt', 'changed since\n');
  const tree = await openTree(openGit(it.root, it.env), commit);
  const read = (paths: string[]) => Promise.all(paths.map(tree.read));
  expect(await read(['a.txt', odd, 'empty.txt', 'link'])).toEqual(['a\n', 'ü\n', '', 'a.txt']);
  expect(await read(['latin.txt', 'a.txt'])).toEqual(['\uFFFD\n', 'a\n']);
  expect(tree.files.get('link')?.isLink).toBe(true);
  expect(tree.files.get('a.txt')?.isLink).toBe(false);
});
