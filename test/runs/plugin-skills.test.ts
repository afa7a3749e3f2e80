import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Turn, walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { until } from '../rig/programs/until.ts';
import {
  answerSession,
  answersOf,
  PLUGIN,
  runPluginSession,
} from '../rig/worker/plugin-session.ts';
import { createTmuxServer } from '../rig/worker/tmux-server.ts';
import { createWorkshop, type Workshop } from '../rig/worker/workshop.ts';

const bash = (command: string): Turn => ({ calls: [{ tool: 'Bash', input: { command } }] });

/** A session that calls a skill and does what it says, step by step; nobody is asked for permission. */
async function useSkill(
  skill: string,
  argument: string,
  turns: readonly Turn[],
  prepare: (it: Workshop) => void | Promise<void>,
  check: (it: Workshop, answers: string[], env: Record<string, string>) => Promise<void> | void,
): Promise<void> {
  const mark = `/saga:${skill}`;
  await using it = await createWorkshop({
    model: { policy: answerSession(mark, turns, walkTasks()) },
  });
  using tmux = createTmuxServer();
  await prepare(it);
  const env = {
    ...tmux.environment,
    PATH: `${join(process.execPath, '..')}:${it.environment.PATH}`,
  };
  const run = await runPluginSession(it, { prompt: `${mark} ${argument}`.trim(), env });
  expect(run.result).toMatchObject({ subtype: 'success', is_error: false });
  const ofSession = it.model.requests.filter((one) => one.conversation.prompt.includes(mark));
  const shown = JSON.stringify(ofSession.find(({ kind }) => kind === 'turn')?.body);
  expect(shown).toContain(`skills/${skill}`);
  const answers = answersOf(it.model, mark);
  expect(answers).toHaveLength(turns.length);
  for (const answer of answers) expect(answer).not.toMatch(/permission|requires approval/i);
  await check(it, answers, env);
}

test('init gives a repository its .saga', () =>
  useSkill(
    'init',
    '',
    [bash('saga init'), bash('saga check')],
    (it) => rmSync(join(it.root, '.saga'), { recursive: true }),
    (it, [, checked]) => {
      expect(checked).toContain('no problems');
      expect(existsSync(join(it.root, '.saga/config.json'))).toBe(true);
    },
  ));

const EPIC = {
  id: 'shop',
  title: 'Shop',
  description: 'People can buy.',
  stories: [
    {
      id: 'cart',
      title: 'Cart',
      description: 'A cart.',
      tasks: [{ id: 'model', subject: 'Model', description: 'It.', doneWhen: 'npm test' }],
    },
    {
      id: 'pay',
      title: "Pay with $(touch pwned) and 'quotes'",
      description: 'Payment.',
      blockedBy: ['cart'],
      tasks: [{ id: 'form', subject: 'Form', description: 'It.' }],
    },
  ],
};

const DRAFT = '.saga/cache/draft.json';

test('plan creates a valid epic from a draft that no shell reads', () =>
  useSkill(
    'plan',
    'People can buy; $(touch pwned)',
    [
      bash('saga list'),
      bash('saga schema epic-draft'),
      { calls: [{ tool: 'Read', input: { file_path: join(PLUGIN, 'skills/plan/example.md') } }] },
      { calls: [{ tool: 'Write', input: { file_path: DRAFT, content: JSON.stringify(EPIC) } }] },
      bash(`saga create --check --file ${DRAFT}`),
      bash(`saga create --file ${DRAFT}`),
      bash('saga check --plan'),
      bash('saga rehearse cart'),
      bash('saga tree shop'),
      bash('git status --short .saga'),
    ],
    () => {},
    (it, answers) => {
      expect(answers[2]).toContain('cart-totals');
      expect(answers[4]).toMatch(/pay does not say when it is done[\s\S]*Nothing was created/);
      expect(answers[5]).toContain('epic shop: 2 stories, 2 tasks');
      expect(answers[6]).toContain('no problems');
      expect(answers[7]).toMatch(/preflight[\s\S]*tasks/);
      expect(answers[8]).toContain('pay');
      expect(answers[9]).toContain('.saga/epics/');
      expect(readdirSync(it.root)).not.toContain('pwned');
      const pay = readFileSync(join(it.root, '.saga/stories/pay/story.json'), 'utf8');
      expect(JSON.parse(pay).title).toBe(EPIC.stories[1]?.title);
    },
  ));

test('execute-story starts a session whose worker finishes the story', () =>
  useSkill(
    'execute-story',
    'add-x',
    [bash('saga list --json'), bash('saga run add-x')],
    (it) => it.story('add-x', {}, { one: {}, two: {} }),
    async (it, [, started], env) => {
      expect(started).toMatch(/session {2}saga-story-add-x-\d+/);
      expect(started).toContain('saga attach add-x · saga logs -f add-x');
      await until(async () => {
        const { sessions } = JSON.parse((await it.saga(['sessions', '--json'], { env })).stdout);
        return sessions[0]?.state === 'ended';
      });
      expect(it.pushedStatuses('add-x')).toEqual({ one: 'completed', two: 'completed' });
      expect(it.github.pulls).toMatchObject([{ title: 'Story: add-x', isDraft: false }]);
    },
  ));

test.each(['$(touch pwned)', '; touch pwned', '`touch pwned`', '"; touch pwned; "', '../../etc'])(
  'a story called %s starts nothing and touches nothing',
  (name) =>
    useSkill(
      'execute-story',
      name,
      [bash('saga list --json')],
      (it) => it.story('add-x'),
      (it) => {
        expect(readdirSync(it.root)).not.toContain('pwned');
        expect(existsSync(join(it.root, '../project.stories'))).toBe(false);
      },
    ),
);

test('status, review and a blocker: what the skills call works without asking', async () => {
  const withBlocker = (it: Workshop) => {
    it.story('cart', {}, { one: {} });
    it.write('.saga/stories/cart/journal.md', '## Blocker: Which one?\n\nA or B.\n');
  };
  await useSkill('status', 'cart', [bash('saga status')], withBlocker, (_, [told]) =>
    expect(told).toContain('needs you: Which one?'),
  );
  await useSkill('run-epic', 'shop', [bash('saga status')], withBlocker, (_, [told]) =>
    expect(told).toContain('cart'),
  );
  await useSkill(
    'review-story',
    'cart',
    [bash('saga show cart'), bash('saga journal cart'), bash('git log --oneline')],
    withBlocker,
    (_, [shown, journal]) => {
      expect(shown).toContain('Blocker: Which one?');
      expect(journal).toContain('A or B.');
    },
  );
  await useSkill(
    'resolve-blocker',
    '',
    [
      bash('saga blockers --json'),
      bash("saga resolve cart --with - <<'SAGA_ANSWER'\nA, because $(touch pwned).\nSAGA_ANSWER"),
    ],
    withBlocker,
    (it, [, resolved]) => {
      expect(resolved).toContain('resolved: Which one?');
      const journal = readFileSync(join(it.root, '.saga/stories/cart/journal.md'), 'utf8');
      expect(journal).toContain('A, because $(touch pwned).');
      expect(readdirSync(it.root)).not.toContain('pwned');
    },
  );
});

test('dashboard serves its pages from the plugin alone', () =>
  useSkill(
    'dashboard',
    '',
    [bash('timeout 15 saga dashboard --port 0 --json; true')],
    () => {},
    (_, [told]) => expect(told).toMatch(/"url": "http:\/\/127.0.0.1:\d+\/\?token=[\w-]+"/),
  ));

test('tell brings words to a story, which are kept if nobody works on it', () =>
  useSkill(
    'tell',
    'cart Use tabs.',
    [
      bash('saga sessions --json'),
      bash("saga tell cart --keep - <<'SAGA_MESSAGE'\nUse tabs.\nSAGA_MESSAGE"),
    ],
    (it) => it.story('cart', {}, { one: {} }),
    (it, [, told]) => {
      expect(told).toContain('kept as Feedback for the next run of cart');
      expect(it.read('.saga/stories/cart/journal.md')).toContain('Feedback: Use tabs.');
    },
  ));

test('land looks at the evidence and at the changes before anybody is asked', () =>
  useSkill(
    'land',
    'cart',
    [bash('saga list --json'), bash('saga verify cart'), bash('saga diff cart --stat')],
    (it) => it.story('cart', {}, { one: {} }),
    (_, [listed, verified]) => {
      expect(listed).toContain('"id": "cart"');
      expect(verified).toMatch(/cart/);
    },
  ));

/** A story that its worker brought to review. */
async function bringToReview(it: Workshop): Promise<void> {
  it.story('cart', { verify: 'true' }, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q', 'origin', 'main');
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
}

test('review-story sees evidence and diff of a story in review, and files a remark', () =>
  useSkill(
    'review-story',
    'cart',
    [
      bash('saga verify cart'),
      bash('saga diff cart --stat'),
      bash('saga diff cart'),
      bash(
        "saga feedback cart - <<'SAGA_FEEDBACK'\none.md:1 Name $(touch pwned) it.\nSAGA_FEEDBACK",
      ),
    ],
    bringToReview,
    async (it, [verified, stat, diff]) => {
      expect(verified).toContain('the gate passed');
      expect(stat).toContain('rehearsed/one.md');
      expect(diff).toContain('+++ b/rehearsed/one.md');
      const journal = it.readStory('cart', 'journal.md');
      expect(journal).toContain('Feedback: one.md:1 Name $(touch pwned) it.');
      expect(readdirSync(it.root)).not.toContain('pwned');
      const { stories } = JSON.parse((await it.saga(['status', '--json'])).stdout);
      expect(stories[0]).toMatchObject({ id: 'cart', state: 'interrupted' });
    },
  ));

test('land merges only if the user lets the session run the command', async () => {
  const mark = '/saga:land';
  const turns = [
    bash('saga verify cart'),
    bash('saga diff cart --stat'),
    bash('saga land cart --yes'),
  ];
  await using it = await createWorkshop({
    model: { policy: answerSession(mark, turns, walkTasks()) },
  });
  await bringToReview(it);
  const env = { PATH: `${join(process.execPath, '..')}:${it.environment.PATH}` };
  const main = () => it.git('-C', it.origin, 'rev-parse', 'main');
  const before = main();
  const prompt = `${mark} cart`;
  const asked = await runPluginSession(it, { prompt, env });
  expect(asked.result).toMatchObject({ subtype: 'success' });
  expect(answersOf(it.model, mark)[2]).toMatch(/permission|approval/i);
  expect(main()).toBe(before);
  const args = ['--plugin-dir', PLUGIN, '--allowedTools', 'Bash(saga land:*)'];
  await runPluginSession(it, { prompt, env, args });
  expect(answersOf(it.model, mark)[2]).toContain('cart  merged into main by #1');
  expect(main()).not.toBe(before);
  expect(it.github.pulls[0]?.state).toBe('MERGED');
});

test('recover only looks, until the user names a story', () =>
  useSkill(
    'recover',
    '',
    [bash('saga recover')],
    (it) => it.story('cart', {}, { one: {} }),
    (_, [told]) => expect(told).toMatch(/nothing|in flight/i),
  ));

test('what a plan must be held to stands in the skill: the schema, the advice, a rehearsal, a yes before the commit', () => {
  const skill = readFileSync(join(PLUGIN, 'skills/plan/SKILL.md'), 'utf8');
  const steps = ['Explore', 'Clarify', 'Propose', 'Create', 'Try it', 'Commit'];
  const places = steps.map((step) => skill.indexOf(`**${step}`));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  for (const command of ['saga schema epic-draft', 'saga create --check', 'saga rehearse', '--try'])
    expect(skill).toContain(command);
  // It may look, plan and rehearse without being asked. Only the user lets it commit or run verify commands.
  const allowed = /^allowed-tools: (.*)$/m.exec(skill)?.[1] ?? '';
  expect(allowed).not.toMatch(/git (?:add|commit)|saga check:|saga (?:run|land|trust)/);
});

test('every skill is used above, and none runs a shell by itself', () => {
  const text = readFileSync(new URL(import.meta.url), 'utf8');
  for (const name of readdirSync(join(PLUGIN, 'skills'))) {
    expect(text).toMatch(new RegExp(`useSkill\\(\\s*'${name}'`));
    const skill = readFileSync(join(PLUGIN, 'skills', name, 'SKILL.md'), 'utf8');
    expect(skill).not.toMatch(/!`|^```!/m);
    expect(skill.split('\n').length).toBeLessThan(60);
  }
});
