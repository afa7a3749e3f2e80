import { expect, test } from 'vitest';
import { PLAN_ENV } from '../../../../test/rig/project/done.ts';
import { createPlan, type Plan } from '../../../../test/rig/project/plan.ts';
import { judgeDraft } from './judge-draft.ts';

const judge = (plan: Plan, text: string, item?: string) =>
  judgeDraft(plan.paths, PLAN_ENV, { text }, item);
const GOOD = '**Done when:** `npm test` passes.\n**Verify:** `npm test`\n\n- Write src/a.js\n';

test('slips are named with their lines, in their order, and as sentences', async () => {
  using plan = createPlan();
  const { problems, draft } = await judge(
    plan,
    '# Shop\n\n## A\n\nafter: nobody\n\n**Gidance:** x\n',
  );
  expect(draft).toBeUndefined();
  expect(problems).toMatchObject([
    { line: 5, message: expect.stringMatching(/^There is no story "nobody".*\.$/) },
    { line: 7, message: expect.stringContaining('Gidance') },
  ]);
});

test('what does not fit into the project has the line of its story', async () => {
  using plan = createPlan();
  plan.story('pay');
  const { problems, draft } = await judge(plan, `# Shop\n\n## A\n\n${GOOD}\n## Pay\n\n${GOOD}`);
  expect(draft).toMatchObject({ id: 'shop', stories: [{ id: 'a' }, { id: 'pay' }] });
  expect(problems).toMatchObject([
    { line: 10, message: expect.stringContaining('pay is already') },
  ]);
});

test('advice has the place of its story or task, in the text and in the draft', async () => {
  using plan = createPlan();
  const text = `# Shop\n\n## A\n\n${GOOD}\n## B\n\n**Verify:** \`npm test\`\n\n- Improve things\n`;
  const { advice, problems } = await judge(plan, text);
  expect(problems).toEqual([]);
  expect(advice).toMatchObject([
    { rule: 'no-done-when', story: 'b', line: 10, field: 'stories[1]' },
    { rule: 'vague-task', task: 'improve-things', line: 14, field: 'stories[1].tasks[0]' },
  ]);
});

test('a story is judged among those that stand beside it in its epic', async () => {
  using plan = createPlan();
  plan.story('a', { epic: 'shop', writeFiles: ['src/**'], doneWhen: 'x', verify: 'x' });
  plan.epic('shop', { a: [] });
  const beside = (after: string) =>
    judge(plan, `## B\n\n**Epic:** shop\n**Writes:** src/b.js\n${after}${GOOD}`);
  expect((await beside('')).advice).toMatchObject([{ rule: 'overlap' }]);
  expect((await beside('\nafter: a\n\n')).advice).toEqual([]);
});

test('an edit is held to the rules of an edit', async () => {
  using plan = createPlan();
  plan.story('a', { epic: 'shop' });
  plan.epic('shop', { a: [] }, { title: 'Shop' });
  const { problems } = await judge(plan, `# Shop\n\n## B\n\n${GOOD}`, 'shop');
  expect(problems).toMatchObject([{ message: expect.stringContaining('Story a is missing') }]);
  expect((await judge(plan, `# Shop\n\n## A\n\n${GOOD}`, 'shop')).problems).toEqual([]);
});

test('a draft as data is judged by its fields, and unknown ones are kept and named', async () => {
  using plan = createPlan();
  const story = { id: 'a', title: '', description: '', blockedBy: [], tasks: [], ticket: 7 };
  const bad = await judgeDraft(plan.paths, PLAN_ENV, { plan: story });
  expect(bad.problems).toMatchObject([{ field: 'title' }]);
  const good = await judgeDraft(plan.paths, PLAN_ENV, { plan: { ...story, title: 'A' } });
  expect(good).toMatchObject({ problems: [], notes: [{ field: 'ticket' }], draft: { ticket: 7 } });
});
