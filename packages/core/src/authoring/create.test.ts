import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLAN_ENV } from '../../../../test/rig/project/done.ts';
import { createPlan, type Plan } from '../../../../test/rig/project/plan.ts';
import { loadOverview } from '../overview/overview.ts';
import { checkProject } from './check.ts';
import { createFromDraft } from './create.ts';

const task = (id: string, more = {}) => ({ id, subject: `Do ${id}`, description: 'All.', ...more });
const story = (id: string, more = {}) => ({
  id,
  title: id,
  description: '',
  tasks: [task('a'), task('b', { blockedBy: ['a'] })],
  ...more,
});
const listing = (plan: Plan) =>
  ['stories', 'epics'].flatMap((name) => {
    const folder = join(plan.paths.saga, name);
    return existsSync(folder) ? readdirSync(folder).map((it) => `${name}/${it}`) : [];
  });

test('a story draft becomes a folder, unknown fields and order kept and named', async () => {
  using plan = createPlan();
  const draft = { $schema: './story-draft.json', ...story('api'), ticket: 'ABC-1', 'x-mine': 1 };
  const created = await createFromDraft(plan.paths, draft);
  const unknown = { code: 'unknown-field', field: 'ticket' };
  expect(created).toMatchObject({ stories: ['api'], tasks: 2, unknown: [unknown] });
  expect(readFileSync(join(plan.paths.stories, 'api/story.json'), 'utf8')).toBe(
    '{\n  "id": "api",\n  "title": "api",\n  "description": "",\n  "ticket": "ABC-1",\n  "x-mine": 1\n}\n',
  );
  expect(JSON.parse(readFileSync(join(plan.paths.stories, 'api/b.json'), 'utf8'))).toEqual({
    ...task('b'),
    status: 'pending',
    blockedBy: ['a'],
  });
  const { problems } = await checkProject(plan.paths, PLAN_ENV);
  expect(problems).toMatchObject([{ ...unknown, file: '.saga/stories/api/story.json' }]);
  // Nothing is broken by it.
  const overview = await loadOverview(plan.paths, PLAN_ENV);
  expect([overview.problems, overview.stories[0]?.state]).toEqual([[], 'ready']);
});

test('tasks may be plain texts, in a story and in the stories of an epic', async () => {
  using plan = createPlan();
  const tasks = ['Write the test', 'Make it pass'];
  await createFromDraft(plan.paths, story('api', { tasks }));
  const epic = { id: 'shop', title: 'Shop', description: '', stories: [story('model', { tasks })] };
  expect(await createFromDraft(plan.paths, epic)).toMatchObject({ tasks: 2, unknown: [] });
  for (const id of ['api', 'model']) {
    const path = join(plan.paths.stories, id, 'make-it-pass.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      ...{ id: 'make-it-pass', subject: 'Make it pass', description: 'Make it pass' },
      ...{ status: 'pending', blockedBy: ['write-the-test'] },
    });
  }
});

test('an epic draft becomes an epic and its stories', async () => {
  using plan = createPlan();
  const created = await createFromDraft(plan.paths, {
    id: 'shop',
    title: 'Shop',
    description: '',
    stories: [story('model'), story('api', { blockedBy: ['model'] })],
  });
  expect(created).toEqual({ epic: 'shop', stories: ['model', 'api'], tasks: 4, unknown: [] });
  const { epics, stories, problems } = await loadOverview(plan.paths, PLAN_ENV);
  expect(problems).toEqual([]);
  expect(epics[0]?.children).toEqual([
    { id: 'model', blockedBy: [] },
    { id: 'api', blockedBy: ['model'] },
  ]);
  expect(stories.map(({ id, epic, ready }) => [id, epic, ready])).toEqual([
    ['api', 'shop', false],
    ['model', 'shop', true],
  ]);
});

test('a story may join an epic that exists, whose file keeps its shape', async () => {
  using plan = createPlan();
  plan.story('model', { epic: 'shop' });
  plan.epic('shop', { model: [] }, { mine: [1, 2] });
  await createFromDraft(plan.paths, story('api', { epic: 'shop', blockedBy: ['model'] }));
  const epic = JSON.parse(readFileSync(join(plan.paths.epics, 'shop.json'), 'utf8'));
  expect(epic.children).toEqual([
    { id: 'model', blockedBy: [] },
    { id: 'api', blockedBy: ['model'] },
  ]);
  expect(Object.keys(epic)).toEqual(['id', 'title', 'description', 'children', 'mine']);
});

test.each<[string, unknown, string, RegExp]>([
  ['not an object', 'x', 'invalid-draft', /must be an object/],
  ['no title', { id: 'a', description: '' }, 'invalid-draft', /"title" is missing/],
  ['a path as id', story('../evil'), 'invalid-draft', /must be an id/],
  [
    'a task in a circle',
    story('x', { tasks: [task('a', { blockedBy: ['b'] }), task('b', { blockedBy: ['a'] })] }),
    'cycle',
    /a → b → a/,
  ],
  [
    'two tasks of one id',
    story('x', { tasks: [task('a'), task('a')] }),
    'invalid-draft',
    /two tasks a/,
  ],
  ['a taken id', story('taken'), 'already-exists', /taken is already in use in this project/],
  ['an archived id', story('old'), 'already-exists', /in the archive/],
  ['an unknown epic', story('x', { epic: 'nope' }), 'unknown-id', /epic nope/],
  [
    'a slip of the finger',
    story('x', { donewhen: 'x' }),
    'invalid-draft',
    /"donewhen" is not a known field/,
  ],
  [
    'a dependency by another name',
    story('x', { tasks: [task('a'), task('b', { dependsOn: ['a'] })] }),
    'invalid-draft',
    /"tasks\[1\].dependsOn" is not a known field/,
  ],
  [
    'a status of a story',
    story('x', { status: 'done' }),
    'invalid-draft',
    /"status" is not a known/,
  ],
  [
    'a bad story in an epic',
    {
      id: 'e',
      title: 'E',
      description: '',
      stories: [story('x'), story('y', { blockedBy: ['z'] })],
    },
    'unknown-id',
    /blocked by z/,
  ],
  [
    'a child that does not exist',
    { id: 'e', title: 'E', description: '', children: [{ id: 'ghost', blockedBy: [] }] },
    'unknown-id',
    /ghost does not exist/,
  ],
])('%s is refused, and nothing is written', async (_, draft, code, message) => {
  using plan = createPlan();
  plan.story('taken');
  plan.write('.saga/archive/stories/old/story.json', '{}');
  const before = listing(plan);
  await expect(createFromDraft(plan.paths, draft)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
  expect(listing(plan)).toEqual(before);
  expect(existsSync(plan.paths.staging) ? readdirSync(plan.paths.staging) : []).toEqual([]);
});

test('a create that was cut off after its commit is finished by the next one', async () => {
  using plan = createPlan();
  const stage = '.saga/runs/staging/1-1';
  plan.write(`${stage}/stories/late/story.json`, { id: 'late', title: 'Late', description: '' });
  plan.write(`${stage}/committed`, ['late']);
  plan.write('.saga/runs/staging/2-2/stories/never/story.json', '{}');
  expect((await checkProject(plan.paths, PLAN_ENV)).problems.map(({ code }) => code)).toEqual([
    'unfinished-create',
  ]);
  await createFromDraft(plan.paths, story('api'));
  expect(listing(plan).toSorted()).toEqual(['stories/api', 'stories/late']);
  expect((await checkProject(plan.paths, PLAN_ENV)).problems).toEqual([]);
  expect(readdirSync(plan.paths.staging)).toEqual([]);
});
