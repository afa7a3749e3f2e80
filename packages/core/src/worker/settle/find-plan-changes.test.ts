import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTempFolder } from '../../../../../test/rig/project/temp-folder.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { ContentIds } from './content-ids.ts';
import { findPlanChanges } from './find-plan-changes.ts';

const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};
const STORY = '.saga/stories/cart/story.json';

let temp: ReturnType<typeof createTempFolder>;
let root: string;
const sh = (command: string) => execFileSync('sh', ['-c', command], { cwd: root, env: ENV });
let contents: ContentIds;
const find = () => findPlanChanges(openPlainGit(root, ENV), 'HEAD', contents);

function begin(format: string): void {
  mkdirSync(join(root, '.saga/stories/cart'), { recursive: true });
  writeFileSync(join(root, STORY), '{\n  "id": "cart"\n}\n');
  writeFileSync(join(root, '.saga/.gitignore'), '/cache/\n*.log\n');
  sh(`git init -q --object-format=${format} && git add -A && git commit -qm First`);
}

beforeEach(() => {
  temp = createTempFolder();
  root = temp.path;
  contents = new ContentIds('mine');
});
afterEach(() => temp[Symbol.dispose]());

test.each(['sha1', 'sha256'])('a plan nobody touched has no changes (%s)', async (format) => {
  begin(format);
  expect(await find()).toEqual([]);
  writeFileSync(join(root, STORY), '{}\n');
  expect(await find()).toEqual([STORY]);
});

test('line ends that git itself wrote are no change', async () => {
  begin('sha1');
  sh(`git config core.eol crlf && echo '* text=auto eol=crlf' > .git/info/attributes`);
  sh('rm -r .saga/stories && git checkout -q -- .saga');
  expect(readFileSync(join(root, STORY), 'utf8')).toContain('\r\n');
  expect(await find()).toEqual([]);
});

test('neither time nor size nor settings of the repository hide one', async () => {
  begin('sha1');
  const { atime, mtime } = statSync(join(root, STORY));
  sh('git config core.trustctime false && git config core.checkStat minimal');
  writeFileSync(join(root, STORY), '{\n  "id": "tarc"\n}\n');
  utimesSync(join(root, STORY), atime, mtime);
  expect(await find()).toEqual([STORY]);
});

test('what is SAGA own state, and what git ignores beside the plan, is none', async () => {
  begin('sha1');
  sh(
    'mkdir .saga/cache && echo x > .saga/cache/overview.json && echo x > .saga/stories/cart/a.log',
  );
  expect(await find()).toEqual([]);
  sh('mkdir -p .saga/stories/.cache && echo "*" > .saga/stories/.cache/.gitignore');
  sh('echo "{}" > .saga/stories/.cache/story.json');
  expect(await find()).toEqual(['.saga/stories/.cache/story.json']);
});

test('rights that a run took away are given back, and its mode is seen', async () => {
  begin('sha1');
  sh(`chmod 000 ${STORY} .saga/stories/cart`);
  expect(await find()).toEqual([]);
  expect(statSync(join(root, STORY)).mode & 0o600).toBe(0o600);
  sh(`chmod +x ${STORY}`);
  expect(await find()).toEqual([STORY]);
});

/** How many files a look reads. */
async function countReads(): Promise<number> {
  const before = contents.reads;
  expect(await find()).toEqual([]);
  return contents.reads - before;
}

test('of a plan that nobody touched only the own story is read again, and every change is found', async () => {
  mkdirSync(join(root, '.saga/stories/mine'), { recursive: true });
  writeFileSync(join(root, '.saga/stories/mine/story.json'), '{ "id": "mine" }\n');
  begin('sha1');
  expect(await countReads()).toBe(3);
  // What was written just now is read once more, until its time is beyond doubt.
  await expect.poll(countReads).toBe(1);

  const { atime, mtime } = statSync(join(root, STORY));
  const text = readFileSync(join(root, STORY), 'utf8');
  writeFileSync(join(root, STORY), text.replace('cart', 'tarc'));
  utimesSync(join(root, STORY), atime, mtime);
  expect(await find()).toEqual([STORY]);
  // Twice within one tick of the clock: the second change is found like the first.
  writeFileSync(join(root, STORY), text);
  expect(await find()).toEqual([]);
  writeFileSync(join(root, STORY), text.replace('cart', 'tarc'));
  expect(await find()).toEqual([STORY]);

  sh(`git checkout -q -- ${STORY} && cp ${STORY} other.json`);
  await expect.poll(countReads).toBe(1);
  writeFileSync(join(root, 'other.json'), text.replace('cart', 'tarc'));
  utimesSync(join(root, 'other.json'), atime, mtime);
  sh(`mv other.json ${STORY}`);
  expect(await find()).toEqual([STORY]);
});
