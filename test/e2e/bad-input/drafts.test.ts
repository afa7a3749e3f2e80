import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildStory, buildTask } from '../../rig/project/plan-files.ts';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';
import { type Complaint, expectRefusal, GOOD_STORY } from '../../rig/screens/expect-complaint.ts';

interface Case {
  name: string;
  /** A text is sent as it is, anything else as JSON. */
  draft: unknown;
  refusal: Complaint;
}

const draft = (fields: object) => ({ ...buildStory('new'), ...fields });
const withTasks = (...tasks: object[]) => draft({ tasks });
const epic = (...stories: object[]) => ({ ...buildStory('newepic'), stories });
const invalid = (field: string, ...says: string[]): Complaint => ({
  code: 'invalid-draft',
  place: field,
  says,
});

const NOT_A_DRAFT: Case[] = [
  {
    name: 'malformed JSON',
    draft: '{\n  "id": new\n}',
    refusal: invalid('draft.json', 'line 2'),
  },
  {
    name: 'half a draft',
    draft: '{ "id": "new", "tit',
    refusal: invalid('draft.json', 'line 1'),
  },
  {
    name: 'nothing at all',
    draft: '',
    refusal: invalid('draft.json', 'line 1: unexpected end'),
  },
  { name: 'a list', draft: [buildStory('new')], refusal: invalid('it must be an object') },
  { name: 'null', draft: 'null', refusal: invalid('it must be an object') },
  { name: 'brackets without end', draft: '['.repeat(100_000), refusal: invalid('draft.json') },
  {
    name: 'a missing title',
    draft: { id: 'new', description: '' },
    refusal: invalid('"title"', 'is missing'),
  },
  {
    name: 'an empty title',
    draft: draft({ title: '' }),
    refusal: invalid('"title"', 'must not be empty'),
  },
  {
    name: 'tasks that are no list',
    draft: draft({ tasks: {} }),
    refusal: invalid('"tasks"', 'an array'),
  },
  {
    name: 'a wrong type deep inside',
    draft: epic({ ...buildStory('new'), tasks: [{ ...buildTask('one'), status: 'done' }] }),
    refusal: invalid('"stories[0].tasks[0].status"', 'pending, in_progress, completed'),
  },
  {
    name: 'donewhen',
    draft: draft({ donewhen: 'It works.' }),
    refusal: { ...invalid('"donewhen"', 'not a known field'), hint: 'Did you mean doneWhen?' },
  },
  {
    name: 'blockedby of a task',
    draft: withTasks(buildTask('one'), { ...buildTask('two'), blockedby: ['one'] }),
    refusal: { ...invalid('"tasks[1].blockedby"'), hint: 'Did you mean blockedBy?' },
  },
  {
    name: 'titel of a story in an epic',
    draft: epic({ ...buildStory('new'), titel: 'New' }),
    refusal: { ...invalid('"stories[0].titel"'), hint: 'Did you mean title?' },
  },
];

const NO_IDS = ['New', '..', '../../etc/passwd', 'a/b', '', '-a', 'a-', 'a b', 'é', 'a'.repeat(65)];
const BAD_IDS: Case[] = [
  ...NO_IDS.map((id) => ({
    name: `story ${JSON.stringify(id)}`,
    draft: draft({ id }),
    refusal: invalid('"id"'),
  })),
  ...['New', '../new', 'a/b'].map((id) => ({
    name: `task ${JSON.stringify(id)}`,
    draft: withTasks(buildTask(id)),
    refusal: invalid('"tasks[0].id"'),
  })),
  {
    name: 'a task "story"',
    draft: withTasks(buildTask('story')),
    refusal: invalid('"tasks[0].id"', 'reserved'),
  },
  {
    name: 'epic "../x"',
    draft: { ...epic(buildStory('new')), id: '../x' },
    refusal: invalid('"id"'),
  },
  { name: 'its epic "../x"', draft: draft({ epic: '../x' }), refusal: invalid('"epic"') },
];

const TAKEN_IDS: Case[] = [
  { name: 'a story', id: GOOD_STORY },
  { name: 'an epic', id: 'oldepic' },
  { name: 'an archived story', id: 'oldstory', says: 'in the archive' },
  { name: 'an archived epic', id: 'olderepic', says: 'in the archive' },
  { name: 'a worktree', id: 'inwork' },
].map(({ name, id, says = 'already in use' }) => ({
  name: `the id of ${name}`,
  draft: draft({ id }),
  refusal: { code: 'already-exists', place: id, says },
}));

const BAD_PLANS: Case[] = [
  {
    name: 'two tasks of one id',
    draft: withTasks(buildTask('one'), buildTask('one')),
    refusal: invalid('story new', 'two tasks one'),
  },
  {
    name: 'two stories of one id',
    draft: epic(buildStory('new'), buildStory('new')),
    refusal: { code: 'already-exists', place: 'new', says: 'twice in the draft' },
  },
  {
    name: 'a story called as its epic',
    draft: epic(buildStory('newepic')),
    refusal: { code: 'already-exists', place: 'newepic' },
  },
  {
    name: 'an unknown task',
    draft: withTasks({ ...buildTask('one'), blockedBy: ['nobody'] }),
    refusal: { code: 'unknown-id', place: 'task one', says: 'nobody' },
  },
  {
    name: 'an unknown sibling',
    draft: epic({ ...buildStory('new'), blockedBy: ['nobody'] }),
    refusal: { code: 'unknown-id', place: 'epic newepic', says: 'blocked by nobody' },
  },
  {
    name: 'an unknown child',
    draft: { ...epic(), children: [{ id: 'nobody', blockedBy: [] }] },
    refusal: { code: 'unknown-id', place: 'epic newepic', says: 'child nobody does not exist' },
  },
  {
    name: 'an unknown epic',
    draft: draft({ epic: 'nobody' }),
    refusal: { code: 'unknown-id', place: 'epic nobody' },
  },
  {
    name: 'tasks in a circle',
    draft: withTasks(
      { ...buildTask('a'), blockedBy: ['b'] },
      { ...buildTask('b'), blockedBy: ['a'] },
    ),
    refusal: { code: 'cycle', place: 'story new', says: 'a → b → a' },
  },
  {
    name: 'stories in a circle',
    draft: epic(
      { ...buildStory('a'), blockedBy: ['c'] },
      { ...buildStory('b'), blockedBy: ['a'] },
      { ...buildStory('c'), blockedBy: ['b'] },
    ),
    refusal: { code: 'cycle', place: 'epic newepic', says: 'a → c → b → a' },
  },
  {
    name: 'a task blocked by itself',
    draft: withTasks({ ...buildTask('a'), blockedBy: ['a'] }),
    refusal: { code: 'self-block', place: 'task a' },
  },
  {
    name: 'a story blocked by itself',
    draft: epic({ ...buildStory('a'), blockedBy: ['a'] }),
    refusal: { code: 'self-block', place: 'epic newepic', says: 'child a' },
  },
  {
    name: 'an epic as its own child',
    draft: { ...epic(), children: [{ id: 'newepic', blockedBy: [] }] },
    refusal: { code: 'cycle', place: 'newepic → newepic' },
  },
  {
    name: 'siblings without an epic',
    draft: draft({ blockedBy: [GOOD_STORY] }),
    refusal: invalid('"blockedBy"'),
  },
];

describe.each([
  ['what is no draft', NOT_A_DRAFT],
  ['ids that are none', BAD_IDS],
  ['ids that are taken', TAKEN_IDS],
  ['plans that do not hold', BAD_PLANS],
])('saga create refuses %s, and leaves nothing', (_, cases) => {
  test.each(cases)('$name', async ({ draft: content, refusal }) => {
    await using project = await createTempProject();
    arrange(project);
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(project.root, 'draft.json'), text);
    await expectRefusal(project, ['create', '--file', 'draft.json'], refusal);
    expect(project.tree().filter((path) => /^runs\/(staging|locks)\/./.test(path))).toEqual([]);
    expect((await project.list()).stories.map(({ id }) => id)).toContain(GOOD_STORY);
  });
});

test.each([
  ['nosuch.json', 'ENOENT'],
  ['.saga', 'EISDIR'],
])('saga create --file %s cannot be read', async (file, reason) => {
  await using project = await createTempProject();
  await expectRefusal(project, ['create', '--file', file], {
    code: 'unreadable-file',
    place: file,
    says: reason,
  });
});

test('an empty standard input is no draft', async () => {
  await using project = await createTempProject();
  await expectRefusal(project, ['create'], {
    code: 'invalid-draft',
    place: 'standard input',
    says: 'line 1: unexpected end',
  });
});

test('a draft that is slow to come is waited for', async () => {
  await using project = await createTempProject();
  const { code, stderr } = await project.saga(['create'], {
    input: JSON.stringify(buildStory('new')),
    inputAfter: 500,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(project.json('stories/new/story.json')).toEqual(buildStory('new'));
});

/** A plan with one id of every kind that is taken. */
function arrange(project: TempProject): void {
  project.writeStory(GOOD_STORY);
  project.writeEpic('oldepic', []);
  project.write('archive/stories/oldstory/story.json', buildStory('oldstory'));
  project.write('archive/epics/olderepic.json', { ...buildStory('olderepic'), children: [] });
  mkdirSync(`${project.paths.innerWorktrees}/inwork`, { recursive: true });
}

test('a title without a Latin letter gets an id that is free', async () => {
  await using project = await createTempProject();
  const create = async (...args: string[]) =>
    JSON.parse((await project.saga(['create', ...args, '--json'])).stdout).created;
  expect(await create('--title', 'カート', '--task', '追加', '--task', '削除')).toEqual({
    stories: ['story'],
    tasks: 2,
  });
  expect(await create('--title', 'Корзина', '--story', 'Модель', '--story', 'Вид')).toEqual({
    epic: 'epic',
    stories: ['story-2', 'story-3'],
    tasks: 0,
  });
  expect(await project.saga(['task', 'create', '検査', '--story', 'story'])).toMatchObject({
    code: 0,
  });
  const { tasks } = JSON.parse((await project.saga(['show', 'story', '--json'])).stdout);
  expect(tasks.map(({ id }: { id: string }) => id)).toEqual(['task', 'task-2', 'task-3']);
});
