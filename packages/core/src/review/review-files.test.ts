import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { loadFileDiff } from './file-diff.ts';
import { quoteLine } from './quote-line.ts';
import { listReviewFiles } from './review-files.ts';

const HOSTILE = ':(exclude)<b>\n"a"\t*.ts';

test('every kind of file is listed, and its diff is loaded by its literal name', async () => {
  using it = createProject({ remote: null });
  it.write('old.ts', 'one\ntwo\n\nthree\n');
  it.write('gone.txt', 'gone\n');
  commitAll(it.gitIn, it.root, 'Before');
  const from = it.git('rev-parse', 'HEAD').trim();
  it.write('old.ts', 'one\n2\n\nthree\n');
  it.write(HOSTILE, 'hostile\n');
  it.write('*.ts', 'star\n');
  it.write('data.bin', 'a\0b');
  it.write('pnpm-lock.yaml', 'lock\n');
  it.write('large.txt', 'line\n'.repeat(2000));
  it.write('.saga/stories/x/journal.md', 'plan\n');
  it.git('rm', '-q', 'gone.txt');
  commitAll(it.gitIn, it.root, 'After');
  const to = it.git('rev-parse', 'HEAD').trim();
  const git = openPlainGit(it.root, it.env);
  it.git('config', 'diff.suppressBlankEmpty', 'true');

  const { files, planFiles } = await listReviewFiles(git, { from, to });
  expect(planFiles).toBe(1);
  const found = Object.fromEntries(files.map((file) => [file.path, file]));
  expect(found).toMatchObject({
    'old.ts': { change: 'changed', added: 1, removed: 1 },
    'gone.txt': { change: 'removed', added: 0, removed: 1 },
    'data.bin': { change: 'added', added: null, removed: null, fold: 'binary' },
    'pnpm-lock.yaml': { fold: 'generated' },
    'large.txt': { fold: 'large', added: 2000 },
    [HOSTILE]: { change: 'added', added: 1 },
  });
  expect(found['old.ts']?.content).toBe(it.git('rev-parse', 'HEAD:old.ts').trim());

  const load = (path: string) => {
    const file = found[path];
    if (!file) throw new Error(`no ${path}`);
    return loadFileDiff(git, { from, to }, file);
  };
  expect(await load('old.ts')).toEqual({
    hunks: [
      { oldStart: 1, newStart: 1, heading: '', lines: [' one', '-two', '+2', ' ', ' three'] },
    ],
    omitted: 0,
  });
  expect((await load(HOSTILE)).hunks[0]?.lines).toEqual(['+hostile']);
  expect((await load('*.ts')).hunks).toHaveLength(1);
  expect((await load('data.bin')).reason).toBe('This file is not text.');
  expect((await load('gone.txt')).hunks[0]?.lines).toEqual(['-gone']);

  expect(await quoteLine(git, to, 'old.ts', 2)).toBe('2');
  expect(await quoteLine(git, from, 'old.ts', 2)).toBe('two');
  expect(await quoteLine(git, to, 'old.ts', 5)).toBeUndefined();
  expect(await quoteLine(git, to, 'none.ts', 1)).toBeUndefined();
});
