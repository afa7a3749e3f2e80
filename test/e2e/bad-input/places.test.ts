import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';
import { expectRefusal, GOOD_STORY } from '../../rig/screens/expect-complaint.ts';

const CREATE = ['create', '--title', 'New one', '--task', 'Do it'];
const ADD = ['journal', GOOD_STORY, 'add', '--title', 'A note'];

test.each<[path: string, command: string, args: string[]]>([
  ['stories', 'create', CREATE],
  ['epics', 'create', CREATE],
  ['runs', 'create', CREATE],
  ['../.git/saga/runs', 'journal add', ADD],
  ['../.git/saga/runs/locks', 'journal add', ADD],
  ['archive', 'archive', ['archive', GOOD_STORY]],
])('a file at .saga/%s is named by saga %s, which needs a folder there', async (path, _, args) => {
  await using project = await createTempProject();
  project.writeStory(GOOD_STORY);
  rmSync(join(project.paths.saga, path), { recursive: true, force: true });
  mkdirSync(join(project.paths.saga, path, '..'), { recursive: true });
  project.write(path, 'I am a file.\n');
  await expectRefusal(project, args, { code: 'unreadable-file', says: join('.saga', path) });
  expect(project.read(path)).toBe('I am a file.\n');
});

test('a folder at journal.md is named by saga journal add', async () => {
  await using project = await arrangeJournalFolder();
  await expectRefusal(project, ADD, {
    code: 'unreadable-file',
    says: '.saga/stories/good/journal.md',
  });
});

test('a folder at journal.md is not taken for an empty journal', async () => {
  await using project = await arrangeJournalFolder();
  const { stdout, stderr } = await project.saga(['journal', GOOD_STORY]);
  expect(stdout).not.toContain('The journal is empty.');
  expect(stderr).toContain('.saga/stories/good/journal.md cannot be read');
});

test('a file at .saga/stories is named, and the epics still show', async () => {
  await using project = await createTempProject();
  project.writeEpic('big', []);
  rmSync(project.paths.stories, { recursive: true });
  project.write('stories', '');
  const list = await project.list();
  expect(list.epics).toMatchObject([{ id: 'big' }]);
  expect(list.problems).toMatchObject([{ code: 'unreadable-file', file: '.saga/stories' }]);
});

test('a story with a broken task is shown without it, and says so', async () => {
  await using project = await createTempProject();
  project.writeStory('bad', {}, [{}, {}]);
  project.write('stories/bad/task-2.json', '{');
  const { code, stdout, stderr } = await project.saga(['show', 'bad']);
  expect(code).toBe(0);
  expect(stdout).toContain('task-1');
  expect(stderr).toContain(
    '.saga/stories/bad/task-2.json is not valid JSON (line 1: unexpected end)',
  );
});

test('a story with a broken story.json cannot be shown, and says why', async () => {
  await using project = await createTempProject();
  project.writeStory('bad');
  project.write('stories/bad/story.json', '{');
  await expectRefusal(project, ['show', 'bad'], {
    code: 'invalid-file',
    says: ['.saga/stories/bad/story.json', 'line 1: unexpected end'],
    hint: 'git checkout -- .saga/stories/bad/story.json',
  });
});

test('a story with a broken file is never ready to run', async () => {
  await using project = await createTempProject();
  project.writeStory('bad', {}, [{}, {}]);
  project.write('stories/bad/task-2.json', '{');
  expect((await project.list()).stories).toMatchObject([{ id: 'bad', ready: false }]);
});

async function arrangeJournalFolder(): Promise<TempProject> {
  const project = await createTempProject();
  project.writeStory(GOOD_STORY);
  mkdirSync(join(project.paths.stories, GOOD_STORY, 'journal.md'));
  return project;
}
