import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, limitLate } from '../../../../../test/rig/project/project.ts';
import { ensureWorktree } from './ensure-worktree.ts';

const TREE = '../project.stories/x';

test('.worktreeinclude brings ignored files it names, and nothing else', async () => {
  using it = createProject();
  it.write('.gitignore', '.env*\nsecrets/\n*.log\n/link*\n.cache/\n');
  it.write(
    '.worktreeinclude',
    '# what the tests need\n.env*\n!.env.production\nsecrets/\nlink\nplain.txt\n.saga/\ntracked.env\n',
  );
  it.write('.env', 'A=1\n');
  it.write('apps/ä b/.env.local', 'B=2\n');
  it.write('.env.production', 'never\n');
  it.write('secrets/deep/key.pem', 'key\n');
  it.write('plain.txt', 'named, but not ignored\n');
  it.write('run.log', 'ignored, but not named\n');
  it.write('.saga/runs/secret.json', '{}\n');
  chmodSync(join(it.root, 'secrets/deep/key.pem'), 0o600);
  symlinkSync('secrets', join(it.root, 'link'));
  it.story('x');
  const { folder, git } = await ensureWorktree(it.worker());
  expect(it.said('worktree:included')).toMatchObject([
    { files: ['.env', 'apps/ä b/.env.local', 'link', 'secrets/deep/key.pem'] },
  ]);
  expect(readFileSync(join(folder, 'apps/ä b/.env.local'), 'utf8')).toBe('B=2\n');
  expect(readlinkSync(join(folder, 'link'))).toBe('secrets');
  expect(statSync(join(folder, 'secrets/deep/key.pem')).mode & 0o777).toBe(0o600);
  for (const path of ['.env.production', 'plain.txt', 'run.log', '.saga/runs/secret.json']) {
    expect(lstatSync(join(folder, path), { throwIfNoEntry: false })).toBeUndefined();
  }
  // .gitignore is not committed in the main checkout, so here these are new files.
  expect(await git.run(['status', '--porcelain', '.env'])).toBe('?? .env');
});

test('what is there already is never overwritten, and what cannot be copied is said', async () => {
  using it = createProject();
  it.write('.gitignore', '.env\nblocked\nout\n');
  it.write('.worktreeinclude', '.env\nblocked/\nout/\n');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Ignore');
  it.git('push', '-q');
  it.write('.env', 'first\n');
  it.story('x');
  await ensureWorktree(it.worker());
  it.write('.env', 'second\n');
  it.write('blocked/file', 'b\n');
  it.write(`${TREE}/blocked`, 'a file where a folder should be\n');
  it.write('out/deep/file', 'o\n');
  mkdirSync(join(it.folder, 'outside'));
  symlinkSync(join(it.folder, 'outside'), join(it.root, TREE, 'out'));
  await ensureWorktree(it.worker());
  expect(it.read(`${TREE}/.env`)).toBe('first\n');
  expect(it.said('worktree:not-included').map((event) => event.path)).toEqual([
    'blocked/file',
    'out/deep/file',
  ]);
  expect(readdirSync(join(it.folder, 'outside'))).toEqual([]);
});

test('setup runs once, again after a failure or a change, and in a new worktree', async () => {
  using it = createProject();
  it.story('x');
  const log = join(it.folder, 'log');
  const setup = async (command: string) => {
    const config = { worktree: { setup: command } };
    const ended = await ensureWorktree(it.worker(config)).catch((error: unknown) => error);
    return ended instanceof Error ? ended : readFileSync(log, 'utf8');
  };
  const first = `echo "$PWD $SAGA_STORY_ID" >> ${log}`;
  const line = `${join(it.root, TREE)} x\n`;
  expect(await setup(first)).toBe(line);
  expect(await setup(first)).toBe(line);
  expect(await setup(`echo changed >> ${log}`)).toBe(`${line}changed\n`);
  const fails = `echo tried >> ${log}; echo out; echo why >&2; exit 7`;
  const refusal = {
    code: 'setup-failed',
    message: `The setup command failed (code 7): ${fails}\nout\nwhy`,
    hint: expect.stringContaining('worktree.setup in .saga/config.json'),
  };
  expect(await setup(fails)).toMatchObject(refusal);
  expect(await setup(fails)).toMatchObject(refusal);
  expect(readFileSync(log, 'utf8')).toBe(`${line}changed\ntried\ntried\n`);
  expect(await setup(first)).toBe(`${line}changed\ntried\ntried\n${line}`);
  it.git('worktree', 'remove', '--force', TREE);
  expect(await setup(first)).toBe(`${line}changed\ntried\ntried\n${line}${line}`);
});

test('setup is ended when the time is up, with all it started', async () => {
  using it = createProject();
  it.story('x');
  const child = join(it.folder, 'child');
  const command = `sleep 600 & echo $! > '${child}'; echo waiting; sleep 600`;
  const worker = limitLate(it.worker({ worktree: { setup: command } }), 3000);
  await expect(ensureWorktree(worker)).rejects.toMatchObject({
    code: 'setup-failed',
    message: `The setup command failed (stopped: the time is up): ${command}\nwaiting`,
  });
  const pid = Number(readFileSync(child, 'utf8'));
  await expect.poll(() => existsSync(`/proc/${pid}/exe`)).toBe(false);
});

test('what a command leaves running does not hold it up', async () => {
  using it = createProject();
  it.story('x');
  await ensureWorktree(it.worker({ worktree: { setup: 'sleep 600 & echo started' } }));
  expect(it.said('setup:end')).toMatchObject([{ exitCode: 0, outputEnd: 'started' }]);
});

test('a time limit of months does not end a command at once', async () => {
  using it = createProject();
  it.story('x');
  const worker = it.worker(
    { worktree: { setup: 'sleep 0.2' } },
    { deadline: Date.now() + 2 ** 33 },
  );
  await ensureWorktree(worker);
  expect(it.said('setup:end')).toMatchObject([{ exitCode: 0 }]);
});
