import { execFileSync } from 'node:child_process';
import { Overview } from '@saga-ai/types/screens/overview';
import { expect, test } from 'vitest';
import { PLAIN_ENVIRONMENT, SAGA } from '../rig/programs/run-program.ts';
import { createTempProject, type TempProject } from '../rig/project/temp-project.ts';

/** What a person sees, command by command, in a terminal of eighty columns. */
const draft = {
  id: 'shop-checkout',
  title: 'Checkout',
  description:
    'People can buy what is in their cart, and everything about it is written in one long line.',
  stories: [
    {
      id: 'cart-model',
      title: 'Cart model',
      description: 'Items and totals.',
      tasks: [
        { id: 'tests', subject: 'Write failing tests', description: 'First.', status: 'completed' },
        {
          id: 'model',
          subject: 'Implement',
          description: 'Then.',
          status: 'completed',
          blockedBy: ['tests'],
        },
      ],
    },
    {
      id: 'cart-api',
      title: 'Cart API',
      description: 'Endpoints over the model.',
      doneWhen: 'npm test passes.',
      blockedBy: ['cart-model'],
      tasks: [
        {
          id: 'endpoints',
          subject: 'Write the endpoints',
          description: 'All four.',
          status: 'in_progress',
          activeForm: 'Writing endpoints',
        },
        {
          id: 'docs',
          subject: 'Describe them',
          description: 'In the README.',
          blockedBy: ['endpoints'],
        },
      ],
    },
    {
      id: 'receipts',
      title: 'Receipts',
      description: 'By mail.',
      blockedBy: ['cart-api'],
      tasks: [{ id: 'render', subject: 'Render', description: 'HTML.' }],
    },
  ],
};

async function createShop(): Promise<TempProject> {
  const project = await createTempProject();
  const created = await project.saga(['create'], { input: JSON.stringify(draft) });
  expect(created.stderr).toBe('');
  await project.done('cart-model');
  await project.saga([
    'create',
    '--title',
    'Fix logout',
    '--task',
    'Write a test',
    '--task',
    'Fix it',
  ]);
  const blocker = ['journal', 'cart-api', 'add', '--kind', 'Blocker', '--title', 'Which port?'];
  await project.saga([...blocker, '--body', 'Two are free.']);
  return project;
}

async function show(project: TempProject, line: string): Promise<string> {
  const { stdout, stderr } = await project.saga(line.split(' '), { env: { COLUMNS: '80' } });
  for (const text of stdout.split('\n')) expect(text.length).toBeLessThanOrEqual(80);
  return `${stdout}${stderr}`.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
}

test('the commands that look', async () => {
  await using project = await createShop();
  expect(await show(project, 'status')).toBe(`\
shop-checkout  epic  ████░░░░░░░░  1/3 stories
  ✓ cart-model  2/2
  ! cart-api    0/2  needs you: Which port? (blocker, just now)
  ◌ receipts    0/1  waits for cart-api: needs you
○ fix-logout  0/2  ready

1 needs you: cart-api
  → saga resolve cart-api
`);
  expect(await show(project, 'list')).toBe(`\
! shop-checkout  1/3  Checkout    epic
! cart-api       0/2  Cart API    needs you: Which port? (blocker, just now)
✓ cart-model     2/2  Cart model
○ fix-logout     0/2  Fix logout  ready
◌ receipts       0/1  Receipts    waits for cart-api: needs you
`);
  expect(await show(project, 'ready')).toBe('○ fix-logout  0/2  Fix logout\n');
  expect(await show(project, 'show cart-api')).toBe(`\
! Cart API
  cart-api · 0/2 · epic shop-checkout · .saga/stories/cart-api
  needs you: Which port? (blocker, just now)
  → saga resolve cart-api

  Endpoints over the model.

Done when
  npm test passes.

Checked with
  unverified: there is no verify command (saga config gate.verify "…")

Tasks
  ◐ endpoints  Write the endpoints
  ◌ docs       Describe them        waits for endpoints

Blocker: Which port?
  Two are free.

Journal, 1 entry: saga journal cart-api
`);
  expect(await show(project, 'show cart-api/docs')).toBe(`\
◌ docs  Describe them  waits for endpoints
  cart-api · blocked by endpoints

  In the README.
`);
  expect(await show(project, 'show shop-checkout')).toBe(`\
Checkout
  shop-checkout · epic · 1/3 stories

  People can buy what is in their cart, and everything about it is written in
  one long line.

Children
  ✓ cart-model  2/2
  ! cart-api    0/2  needs you: Which port? (blocker, just now)
  ◌ receipts    0/1  waits for cart-api: needs you
`);
  expect(await show(project, 'tree --tasks')).toBe(`\
! shop-checkout 1/3  Checkout
├ ✓ cart-model 2/2  Cart model
│ ├ ✓ tests  Write failing tests
│ └ ✓ model  Implement
├ ! cart-api 0/2  Cart API
│ ├ ◐ endpoints  Write the endpoints
│ └ ◌ docs  Describe them
└ ◌ receipts 0/1  Receipts
  └ ○ render  Render
○ fix-logout 0/2  Fix logout
├ ○ write-a-test  Write a test
└ ◌ fix-it  Fix it
`);
  expect(await show(project, 'graph shop-checkout')).toBe(`\
✓ cart-model
! cart-api    ← cart-model
◌ receipts    ← cart-api

longest open chain: cart-api → receipts
`);
  expect(await show(project, 'journal cart-api')).toBe(`\
Blocker (open): Which port?  <time>
  Two are free.
`);
  expect(await show(project, 'search chekout')).toContain('epic  shop-checkout  Checkout');
  expect(await show(project, 'search endpoitns')).toContain('task   cart-api/endpoints');
  expect(await show(project, 'check')).toBe('✓ 4 stories, 1 epic, no problems\n');
});

test('graphs for other programs', async () => {
  await using project = await createShop();
  expect(await show(project, 'graph shop-checkout --format mermaid')).toMatch(
    /^flowchart LR\n {2}n0\["✓ cart-model: Cart model"\]\n[\s\S]*n0 --> n1\n {2}n1 --> n2\n/,
  );
  expect(await show(project, 'graph shop-checkout --format dot')).toMatch(
    /^digraph saga \{\n[\s\S]*"cart-model" -> "cart-api";\n {2}"cart-api" -> "receipts" \[penwidth=2\];\n\}\n$/,
  );
});

test('a mistake is answered with what was meant', async () => {
  await using project = await createShop();
  expect(await show(project, 'show chekout')).toBe(`\
✗ No story or epic "chekout".                                        [not-found]
  Did you mean shop-checkout?  saga list shows all.
`);
  expect(await show(project, 'lst')).toContain('Did you mean saga list?');
  expect(await show(project, 'list --jsno')).toContain('Did you mean --json?');
});

test('a bad file is named above the good ones', async () => {
  await using project = await createShop();
  project.write('stories/receipts/render.json', '{\n  "id": "render",\n');
  const { stdout, stderr, code } = await project.saga(['list'], { env: { COLUMNS: '80' } });
  expect(code).toBe(0);
  expect(stderr).toBe(`\
✗ .saga/stories/receipts/render.json is not valid JSON (line 3: unexpected end).  [invalid-file]
  Fix the file, or restore it: git checkout -- .saga/stories/receipts/render.json
`);
  expect(stdout).toContain('○ fix-logout');
});

test('everything that reads has one JSON value', async () => {
  await using project = await createShop();
  const overview = Overview.safeParse(JSON.parse((await project.saga(['list', '--json'])).stdout));
  expect(overview.success).toBe(true);
  for (const line of [
    'status',
    'ready',
    'show cart-api',
    'show shop-checkout',
    'show cart-api docs',
    'tree',
    'graph',
    'search cart',
    'check',
    'journal cart-api',
    'config',
    'list --archived',
    '--help',
    'show --help',
    'completions bash',
    'complete -- sh',
  ]) {
    const [name = '', ...rest] = line.split(' ');
    const { stdout, code } = await project.saga([name, '--json', ...rest]);
    expect([line, code, JSON.parse(stdout).version]).toEqual([line, 0, 1]);
  }
  const { stdout, code } = await project.saga(['show', 'nope', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    error: { code: 'not-found', message: 'No story or epic "nope".', hint: 'saga list shows all.' },
  });
});

test('colour only on a terminal, and never against NO_COLOR', async () => {
  await using project = await createShop();
  const colour = '\u001b[';
  const onTerminal = (env: string) =>
    execFileSync('script', ['-qec', `${env} "${process.execPath}" "${SAGA}" list`, '/dev/null'], {
      cwd: project.root,
      env: PLAIN_ENVIRONMENT,
      encoding: 'utf8',
    });
  expect((await project.saga(['list'])).stdout).not.toContain(colour);
  expect(onTerminal('env')).toContain(colour);
  expect(onTerminal('env NO_COLOR=1')).not.toContain(colour);
});

test('bash completes commands, options, choices, ids and tasks', async () => {
  await using project = await createShop();
  const complete = (...words: string[]) => {
    const script = [
      `saga() { "${process.execPath}" "${SAGA}" "$@"; }`,
      'source <(saga completions bash)',
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's own
      '_saga; printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n');
    const stdout = execFileSync('bash', ['-c', script], { cwd: project.root, encoding: 'utf8' });
    return stdout.trim().split('\n');
  };
  expect(complete('saga', 'sh')).toEqual(['show']);
  expect(complete('saga', 'graph', '--f')).toEqual(['--format']);
  expect(complete('saga', 'graph', '--format', '')).toEqual(['text', 'mermaid', 'dot']);
  expect(complete('saga', 'show', 'cart')).toEqual(['cart-api', 'cart-model']);
  expect(complete('saga', 'show', 'cart-api', 'd')).toEqual(['docs']);
  expect(complete('saga', 'run', '--model', '')).toEqual(['']);
  expect(complete('saga', 'show', '--project', '.', 'cart-api', 'd')).toEqual(['docs']);
  expect(complete('saga', 'schema', 'epic')).toEqual(['epic', 'epic-draft']);
});

test('it works from a sub-folder, from a worktree and with --project', async () => {
  await using project = await createShop();
  project.write('../src/deep/x', '');
  project.write('worktrees/cart-api/.saga/stories/cart-api/story.json', {
    id: 'cart-api',
    title: 'Live',
    description: '',
  });
  const ids = async (options: object, ...more: string[]) =>
    JSON.parse((await project.saga(['list', '--json', ...more], options)).stdout).stories.map(
      (it: { id: string; title: string }) => it.title,
    );
  const expected = ['Live', 'Cart model', 'Fix logout', 'Receipts'];
  expect(await ids({ cwd: `${project.root}/src/deep` })).toEqual(expected);
  expect(await ids({ cwd: `${project.root}/.saga/worktrees/cart-api` })).toEqual(expected);
  expect(await ids({ cwd: '/' }, '--project', project.root)).toEqual(expected);
  expect(await ids({ cwd: '/', env: { SAGA_PROJECT_DIR: project.root } })).toEqual(expected);
});
