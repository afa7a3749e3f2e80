import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlan, type Plan } from '../../../../test/rig/project/plan.ts';
import { loadAsMarkdown } from './as-markdown.ts';
import { editPlan } from './edit-plan.ts';
import type { EditedPlan } from './plan-document.ts';
import { listTemplates, loadTemplate } from './templates.ts';
import { createInEditor } from './write-draft.ts';

/** An editor that is a real program: it rewrites its file by a shell script. */
function createEditor(plan: Plan, script: string): string {
  const path = join(plan.root, 'editor.sh');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function edit(plan: Plan, id: string, script: string): Promise<EditedPlan> {
  const editor = createEditor(plan, script);
  return editPlan(
    plan.paths,
    id,
    () => editor,
    async () => {},
  );
}
const json = (plan: Plan, path: string) => JSON.parse(plan.read(`.saga/${path}`));

test('a story and its tasks are one document; workers keep their fields', async () => {
  using plan = createPlan();
  plan.story(
    'api',
    { branch: 'story/api', ticket: 7 },
    { one: { status: 'completed', attempts: 2 }, two: { blockedBy: ['one'] }, gone: {} },
  );
  const script = `sed -i 's/All of one/Everything of one/; /^### Do gone/,/^All of gone/d' "$1"
printf '\\n**Guidance:** Slowly.\\n\\n### Write docs\\n\\nafter: two\\n' >> "$1"`;
  const edited = await edit(plan, 'api', script);
  expect(edited).toMatchObject({ changed: true, created: [], stories: ['api'] });
  expect(edited.files.toSorted()).toEqual([
    'task api/gone: removed',
    'task api/one: changed',
    'task api/two: changed',
    'task api/write-docs: new',
  ]);
  expect(json(plan, 'stories/api/one.json')).toMatchObject({ status: 'completed', attempts: 2 });
  expect(json(plan, 'stories/api/story.json')).toMatchObject({ branch: 'story/api', ticket: 7 });
  expect(existsSync(join(plan.paths.stories, 'api/gone.json'))).toBe(false);
});

test('what a person changes is saved, and everything else stays to the letter', async () => {
  using plan = createPlan();
  plan.write(
    '.saga/stories/api/story.json',
    '{ "ticket": 7, "id": "api", "title": "API",\n"description": "x" , "branch": "story/api"}\n',
  );
  plan.write('.saga/stories/api/one.json', {
    id: 'one',
    subject: 'One',
    description: 'x',
    status: 'in_progress',
    attempts: 2,
    blockedBy: [],
  });
  await edit(plan, 'api', `sed -i 's/^x$/better/' "$1"`);
  expect(plan.read('.saga/stories/api/story.json')).toBe(
    '{ "ticket": 7, "id": "api", "title": "API",\n"description": "better" , "branch": "story/api"}\n',
  );
  expect(json(plan, 'stories/api/one.json')).toMatchObject({
    description: 'better',
    attempts: 2,
    status: 'in_progress',
  });
  expect(await edit(plan, 'api', 'true')).toMatchObject({ changed: false, files: [] });
});

test('an epic is one document with its stories: texts, order and new stories', async () => {
  using plan = createPlan();
  plan.epic('inner', {});
  plan.epic('shop', { cart: [], inner: [], pay: ['cart'] });
  plan.story('cart', { epic: 'shop' });
  plan.story('pay', { epic: 'shop' });
  const script = `sed -i 's/^About cart.$/About carts./; s/^after: cart$/after: cart, inner/' "$1"
printf '\\n## Refund\\n\\nafter: pay\\n\\n- Pay back\\n' >> "$1"`;
  expect(await edit(plan, 'shop', script)).toMatchObject({
    files: ['epic shop', 'story cart: changed'],
    created: ['refund'],
  });
  expect(json(plan, 'epics/shop.json').children).toEqual([
    { id: 'cart', blockedBy: [] },
    { id: 'inner', blockedBy: [] },
    { id: 'pay', blockedBy: ['cart', 'inner'] },
    { id: 'refund', blockedBy: ['pay'] },
  ]);
  expect(json(plan, 'stories/refund/story.json')).toMatchObject({ epic: 'shop', title: 'Refund' });
});

test('what a single story waits for is kept in its epic', async () => {
  using plan = createPlan();
  plan.epic('shop', { cart: [], pay: [] });
  plan.story('cart', { epic: 'shop' });
  plan.story('pay', { epic: 'shop' });
  expect((await loadAsMarkdown(plan.paths, 'pay')).markdown).toContain('**Epic:** shop');
  await edit(plan, 'pay', `sed -i 's/^About pay.$/About pay.\\n\\nafter: cart/' "$1"`);
  expect(json(plan, 'epics/shop.json').children[1]).toEqual({ id: 'pay', blockedBy: ['cart'] });
});

test.each<[name: string, script: string, reason: string]>([
  ['a story is missing', `sed -i '/^## Story pay/,$d' "$1"`, 'Story pay is missing'],
  ['the epic has another id', `sed -i 's/^# Epic shop.*/# Another/' "$1"`, 'The id may not change'],
  ['a circle', `sed -i 's/^About cart.$/after: pay/' "$1"`, 'circle'],
  [
    'an id that is taken',
    `grep -q '^## Other' "$1" || printf '\\n## Other\\n' >> "$1"`,
    'already in use',
  ],
  ['a slip', `grep -q Verfy "$1" || printf '\\n**Verfy:** x\\n' >> "$1"`, 'Verfy'],
])('an edit is refused with its reason, and nothing changes: %s', async (_, script, reason) => {
  using plan = createPlan();
  plan.epic('shop', { cart: [], pay: ['cart'] });
  for (const id of ['cart', 'pay']) plan.story(id, { epic: 'shop' }, {});
  plan.story('other');
  const before = readFileSync(join(plan.paths.epics, 'shop.json'), 'utf8');
  await expect(edit(plan, 'shop', script)).rejects.toMatchObject({
    code: 'edit-refused',
    message: expect.stringContaining(reason),
    hint: expect.stringContaining('shop.md'),
  });
  expect(readFileSync(join(plan.paths.epics, 'shop.json'), 'utf8')).toBe(before);
});

test('what another program changed meanwhile is not overwritten', async () => {
  using plan = createPlan();
  plan.story('api');
  const file = join(plan.paths.stories, 'api/work.json');
  const script = `sed -i 's/About api./Mine./' "$1"\nsed -i 's/pending/completed/' '${file}'`;
  await expect(edit(plan, 'api', script)).rejects.toThrow(/changed by another program/);
  expect(json(plan, 'stories/api/story.json').description).toBe('About api.');
});

test('a file that cannot be read is not taken for removed', async () => {
  using plan = createPlan();
  plan.epic('shop', { api: [] });
  plan.story('api', { epic: 'shop' }, { one: {} });
  plan.write('.saga/stories/api/two.json', '{ "id": "two", ');
  for (const id of ['api', 'shop']) {
    await expect(edit(plan, id, `sed -i 's/About/On/' "$1"`)).rejects.toMatchObject({
      code: 'invalid-file',
      message: expect.stringContaining('two.json'),
    });
  }
  const { markdown, problems } = await loadAsMarkdown(plan.paths, 'shop');
  expect(markdown).toContain('### Do one {#one}');
  expect(problems).toMatchObject([{ file: '.saga/stories/api/two.json' }]);
  expect(plan.read('.saga/stories/api/two.json')).toBe('{ "id": "two", ');
});

test('a template is opened and created; after a slip the editor opens again', async () => {
  using plan = createPlan();
  const seen = join(plan.root, 'seen.md');
  const editor = createEditor(
    plan,
    `if grep -q '^<!-- Not created' "$1"; then cp "$1" '${seen}'; sed -i 's/Verfy/Verify/' "$1"
else sed -i 's/Title of the story/Cart totals/; s/Verify:/Verfy:/' "$1"; fi`,
  );
  const created = await createInEditor(plan.paths, loadTemplate(plan.paths, 'story'), editor);
  expect(created).toMatchObject({ stories: ['cart-totals'], tasks: 2 });
  expect(readFileSync(seen, 'utf8')).toMatch(
    /^<!-- Not created: plan.md, line \d+: \*\*Verfy:\*\*.*-->\n<!-- Correct it/,
  );
  expect(json(plan, 'stories/cart-totals/story.json')).toMatchObject({ verify: 'npm test' });
  expect(
    await createInEditor(plan.paths, loadTemplate(plan.paths, 'epic'), 'true'),
  ).toBeUndefined();
});

test('templates of the project come first, and an unknown one is named', () => {
  using plan = createPlan();
  mkdirSync(join(plan.paths.saga, 'templates'));
  plan.write('.saga/templates/bug.md', '## Bug\n');
  plan.write('.saga/templates/story.md', '## Our story\n');
  expect(listTemplates(plan.paths)).toEqual(['bug', 'epic', 'story']);
  expect(loadTemplate(plan.paths, 'story')).toBe('## Our story\n');
  expect(() => loadTemplate(plan.paths, 'bugg')).toThrow(/no template "bugg"/);
  expect(() => loadTemplate(plan.paths, '../config')).toThrow(/no template/);
  expect(existsSync(join(plan.paths.saga, 'templates/bug.md'))).toBe(true);
});
