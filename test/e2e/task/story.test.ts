import { expect, test } from 'vitest';
import { printed } from '../../rig/client/temp-task-list.ts';
import { buildTask } from '../../rig/project/plan-files.ts';
import { createTempProject } from '../../rig/project/temp-project.ts';

async function createWork() {
  const project = await createTempProject();
  const model = { blockedBy: ['tests'], guidance: 'Keep it small.', labels: ['core'] };
  project.writeStory('api', {}, [
    { ...buildTask('tests'), status: 'completed' },
    { ...buildTask('model'), ...model },
    { ...buildTask('docs'), blockedBy: ['model'], area: 'text' },
  ]);
  const saga = (args: string[]) =>
    project.saga(['task', ...args, '--story', 'api'], {
      env: { SAGA_OWNER: 'ada', COLUMNS: '80' },
    });
  return {
    project,
    saga,
    show: async (line: string) => printed(await saga(line.split(' '))),
    json: async (line: string) => JSON.parse((await saga([...line.split(' '), '--json'])).stdout),
    read: (id: string) => project.json(`stories/api/${id}.json`),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

test('the verbs that look read the files of the story', async () => {
  await using it = await createWork();
  expect(await it.show('list')).toMatchInlineSnapshot(`
    "✓ tests  Do tests
    ○ model  Do model
    ◌ docs   Do docs   waits for model
    "
  `);
  expect(await it.show('ready')).toBe('○ model  Do model\n');
  expect(await it.show('blocked')).toBe('◌ docs  Do docs  waits for model\n');
  expect(await it.show('show model')).toMatchInlineSnapshot(`
    "○ model  Do model
      ready · blocked by tests · blocks docs · core

      All of model.
    "
  `);
  expect(await it.show('tree')).toMatchInlineSnapshot(`
    "✓ tests  Do tests
    └ ○ model  Do model
      └ ◌ docs  Do docs
    "
  `);
  expect(await it.show('graph')).toMatchInlineSnapshot(`
    "✓ tests
    ○ model  ← tests
    ◌ docs   ← model

    longest open chain: model → docs
    "
  `);
  expect(await it.show('search SMALL')).toBe('No task found.\n');
  expect(await it.show('search all docs')).toBe('◌ docs  Do docs  waits for model\n');
  expect(await it.show('count --state blocked')).toBe('1\n');
  expect(await it.show('status')).toMatchInlineSnapshot(`
    "story api  ████░░░░░░░░  1/3
      1 ready, 1 done, 1 blocked
    "
  `);
  expect(await it.json('show docs')).toMatchObject({
    version: 1,
    task: { id: 'docs', state: 'blocked', waitsFor: ['model'], metadata: { area: 'text' } },
  });
});

test('pop, claim, release, close and reopen write its files', async () => {
  await using it = await createWork();
  expect(await it.json('pop')).toMatchObject({ task: { id: 'model', owner: 'ada' } });
  expect(it.read('model')).toMatchObject({
    status: 'in_progress',
    owner: 'ada',
    guidance: 'Keep it small.',
    metadata: { claim: { pid: process.pid } },
  });
  expect(await it.show('pop')).toBe('No task is ready.\nexit 3\n');
  expect(await it.show('claim model --steal')).toContain('may still be running');
  expect(await it.show('release model')).toBe('○ model  Do model\n');
  expect(Object.keys(it.read('model'))).not.toContain('owner');
  expect(await it.show('claim model --owner bob')).toContain('owner bob');
  expect(await it.show('close model')).toBe('✓ model  Do model\n');
  expect(it.read('model')).toMatchObject({ status: 'completed', labels: ['core'] });
  expect(await it.json('pop')).toMatchObject({ task: { id: 'docs' } });
  expect(await it.show('reopen model')).toBe('○ model  Do model\n');
});

test('create, q, update, label and delete write its files', async () => {
  await using it = await createWork();
  const created = await it.saga(['create', 'Sell it!', '--blocked-by', 'docs', '--label', 'x']);
  expect(created.stdout).toBe('◌ sell-it  Sell it!  waits for docs\n');
  expect(it.read('sell-it')).toEqual({
    id: 'sell-it',
    subject: 'Sell it!',
    description: 'Sell it!',
    status: 'pending',
    blockedBy: ['docs'],
    labels: ['x'],
  });
  expect((await it.saga(['q', 'Sell it?'])).stdout).toBe('sell-it-2\n');
  await it.saga(['update', 'docs', '--subject', 'Tell', '--meta', 'area=', '--meta', 'mine=1']);
  expect(it.read('docs')).toEqual({
    id: 'docs',
    subject: 'Tell',
    description: 'All of docs.',
    status: 'pending',
    blockedBy: ['model'],
    metadata: { mine: 1 },
  });
  expect(await it.json('label model new')).toMatchObject({ task: { labels: ['core', 'new'] } });
  expect(await it.show('delete docs')).toBe('✓ deleted docs\n');
  expect(it.read('sell-it')).toMatchObject({ blockedBy: [] });
  expect((await it.project.saga(['check'])).code).toBe(0);
});

test('dependencies of a story', async () => {
  await using it = await createWork();
  expect(await it.show('dep add model docs')).toMatchInlineSnapshot(`
    "✗ model cannot wait for docs: that would close a circle, docs → model → docs.  [cycle]
      Remove one of these dependencies first: saga task dep rm
    exit 1
    "
  `);
  expect(await it.show('dep rm docs model')).toBe('✓ docs no longer waits for model\n');
  expect(await it.show('dep add model docs')).toBe('✓ model now waits for docs\n');
  expect(it.read('model')).toMatchObject({ blockedBy: ['tests', 'docs'] });
});

test('edit opens the file itself', async () => {
  await using it = await createWork();
  const edit = (script: string) =>
    it.project.saga(['task', 'edit', 'docs', '--story', 'api'], {
      env: { EDITOR: script, TMPDIR: it.project.root },
    });
  expect(printed(await edit('sed -i s/of.docs/of.it/'))).toBe('✓ saved docs\n');
  expect(it.read('docs')).toMatchObject({ description: 'All of.it.' });
  expect(printed(await edit('sed -i s/pending/later/'))).toContain('"status" must be one of');
  expect(printed(await edit('true'))).toBe('Nothing changed.\n');
});

test('a bad file is named and the rest works', async () => {
  await using it = await createWork();
  it.project.write('stories/api/bad.json', '{');
  expect(await it.show('ready')).toMatchInlineSnapshot(`
    "○ model  Do model
    ✗ .saga/stories/api/bad.json is not valid JSON (line 1: unexpected end).  [invalid-file]
      Fix the file, or restore it: git checkout -- .saga/stories/api/bad.json
    "
  `);
  expect(await it.show('show bad')).toContain('bad.json is not valid JSON');
});

test.each([
  ['show nope', 'There is no task "nope" in story api.'],
  ['show ../../config', 'There is no task "../../config" in story api.'],
  ['close mdoel', 'Did you mean model?'],
  ['delete ..', 'There is no task ".." in story api.'],
  ['dep add docs nope', 'There is no task "nope" in story api.'],
  ['list --story apx', 'No story or epic "apx".'],
])('saga task %s --story', async (line, says) => {
  await using it = await createWork();
  const before = it.project.plan();
  const { code, stdout, stderr } = await it.project.saga([
    'task',
    '--story',
    'api',
    ...line.split(' '),
  ]);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)]);
  expect(it.project.plan()).toEqual(before);
});
