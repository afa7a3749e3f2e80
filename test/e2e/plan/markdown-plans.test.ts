import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLAIN_ENVIRONMENT } from '../../rig/programs/run-program.ts';
import { openGit } from '../../rig/project/repository.ts';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';
import { expectRefusal } from '../../rig/screens/expect-complaint.ts';

const PLAN = `# Checkout

Let people pay.

## Cart model

**Done when:** npm test passes
**Writes:** src/cart/**
**Verify:** \`exit 3\`

1. Write failing tests in test/cart.test.ts
2. Add total() to src/cart/total.ts

## Cart API

after: Cart model

### Improve things
`;

test('a plan as Markdown is created from a file and from standard input, and shown again', async () => {
  await using project = await createTempProject();
  writeFileSync(join(project.root, 'plan.md'), PLAN);
  const created = await project.saga(['create', 'plan.md']);
  expect(created).toMatchObject({ code: 0, stderr: '' });
  expect(created.stdout).toContain('✓ epic checkout: 2 stories, 3 tasks');
  expect(created.stdout).toContain('! 3 pieces of advice (no-done-when, vague-task, no-verify)');
  const shown = await project.saga(['show', 'checkout', '--markdown']);
  await using other = await createTempProject();
  const again = await other.saga(['create', '-', '--json'], { input: shown.stdout });
  expect(JSON.parse(again.stdout)).toMatchObject({
    created: { epic: 'checkout', stories: ['cart-model', 'cart-api'], tasks: 3 },
    advice: expect.arrayContaining([expect.objectContaining({ rule: 'vague-task' })]),
  });
  expect(other.plan()).toEqual(project.plan());
});

test('every slip of a Markdown plan is told with its line, and nothing is created', async () => {
  await using project = await createTempProject();
  const file = join(project.root, 'plan.md');
  writeFileSync(file, PLAN.replace('after: Cart model', 'after: Cart modle'));
  await expectRefusal(project, ['create', file], {
    code: 'invalid-draft',
    place: `${file}, line 16`,
    says: '"Cart modle"',
    hint: 'Did you mean cart-model?',
  });
  project.writeStory('cart-api');
  writeFileSync(file, PLAN);
  await expectRefusal(project, ['create', file], {
    code: 'already-exists',
    place: `${file}, line 14`,
    says: 'cart-api is already in use',
  });
});

test('saga check --plan gives advice and stays at 0; --try runs verify on the base', async () => {
  await using project = await createTempProject();
  expect(await project.saga(['create', '-'], { input: PLAN })).toMatchObject({ code: 0 });
  const advised = await project.saga(['check', '--plan']);
  expect(advised).toMatchObject({ code: 0, stderr: '' });
  expect(advised.stdout).toContain('! vague-task');
  expect(advised.stdout).toMatch(/✓ \d+ stor.*no problems, \d pieces of advice/);
  const git = openGit(PLAIN_ENVIRONMENT);
  git(project.root, 'add', '-A');
  git(project.root, '-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-qm', 'Plan');
  const tried = await project.saga(['check', '--plan', '--try', '--json']);
  expect(JSON.parse(tried.stdout).advice).toContainEqual({
    rule: 'verify-fails',
    story: 'cart-model',
    message: 'exit 3 ended with code 3 on the base already (verify of cart-model).',
    remedy: expect.stringContaining('pass on the base first'),
  });
  expect(await project.saga(['check', '--try'])).toMatchObject({ code: 1 });
});

function writeOld(project: TempProject): void {
  const write = (path: string, text: string) => {
    mkdirSync(join(project.root, path, '..'), { recursive: true });
    writeFileSync(join(project.root, path), text);
  };
  write('.saga/epics/shop/epic.md', '# Shop\n\nSells.\n');
  write(
    '.saga/stories/cart/story.md',
    '---\ntitle: Cart\nepic: shop\ntasks:\n  - id: t1\n    title: Totals\n    status: completed\n---\n',
  );
  write(
    '.saga/epics/shop/stories/pay/story.md',
    '---\ntitle: Pay\ndepends_on: cart\n---\n\nPay.\n',
  );
  write('.saga/epics/shop/stories/pay/journal.md', '## Decision: cards\n');
  write(
    '.taskmaster/tasks/tasks.json',
    '{"master":{"tasks":[{"id":1,"title":"Init","status":"done"}]}}',
  );
}

test('older plans are taken over all at once, twice does no harm, and git keeps what is removed', async () => {
  await using project = await createTempProject();
  writeOld(project);
  const before = project.plan();
  const dry = await project.saga(['migrate']);
  expect(dry.stdout).toContain('.saga/stories/cart/story.md → story cart');
  expect(dry.stdout).toContain('Nothing was written. To do it: saga migrate --yes');
  expect(project.plan()).toEqual(before);
  const checked = await project.saga(['check']);
  expect(checked.stdout).toContain('Take them over: saga migrate markdown');

  const done = await project.saga(['migrate', '--yes']);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toContain('2 stories are completed, but no gate has checked them');
  expect(project.json('epics/shop.json').children).toEqual([
    { id: 'pay', blockedBy: ['cart'] },
    { id: 'cart', blockedBy: [] },
  ]);
  expect(project.json('stories/cart/t1.json')).toMatchObject({ status: 'completed' });
  expect(project.read('stories/pay/journal.md')).toBe('## Decision: cards\n');
  expect(await project.saga(['check'])).toMatchObject({ code: 0, stderr: '' });

  const plan = project.plan();
  const again = JSON.parse((await project.saga(['migrate', '--yes', '--json'])).stdout);
  expect(again.plans).toMatchObject([
    { format: 'markdown', stories: [], known: ['shop', 'pay', 'cart'] },
    { format: 'task-master', stories: [], known: ['task-master', 'init'] },
  ]);
  expect(project.plan()).toEqual(plan);

  const { removed } = JSON.parse(
    (await project.saga(['migrate', '--yes', '--remove', '--json'])).stdout,
  );
  const git = openGit(PLAIN_ENVIRONMENT);
  expect(git(project.root, 'show', `${removed[0]}:.saga/epics/shop/epic.md`)).toBe(
    '# Shop\n\nSells.\n',
  );
  expect((await project.saga(['migrate'])).stdout).toContain(
    'No plan in an older or foreign format',
  );
  expect(project.tree('stories')).not.toContain('stories/cart/story.md');
});

test('a migration that does not fit writes nothing', async () => {
  await using project = await createTempProject();
  writeOld(project);
  project.writeStory('init', { title: 'Something else' });
  const before = project.plan();
  const refused = await project.saga(['migrate', '--yes']);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The id init is already in use'),
  });
  expect(project.plan()).toEqual(before);
  expect(await project.saga(['migrate', 'taskmaster'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean task-master?'),
  });
});
