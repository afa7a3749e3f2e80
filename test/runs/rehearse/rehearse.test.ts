import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rehearse, VERIFIED } from '../../rig/worker/rehearse.ts';
import { expectNothingRunning, lookAround } from '../../rig/worker/traces.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

/** Numbers that differ each time. */
const steady = (text: string) =>
  text
    .replace(/(claude|git) \d[\d.]*/g, '$1 N')
    .replace(/\d+(\.\d)? s\b/g, 'N s')
    .replace(/\d+ answers/g, 'N answers');

const HOSTILE = '\u001b]0;owned\u0007\u001b[31m$(touch owned) `touch owned` \'"; touch owned #';

test('all that a story needs is tried, told, and gone afterwards', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', {
    worktree: { setup: 'cp .env copied && echo copied >> .gitignore && git commit -qam ignore' },
    gate: { verify: 'test -f copied && test -f rehearsed/three.md' },
    // It costs nothing, so no budget is in its way.
    budget: { usd: 0.001, tokens: 1 },
  });
  it.write('.gitignore', '.env\n');
  it.write('.worktreeinclude', '.env\n');
  it.git('add', '-A');
  it.git('commit', '-qm', 'Settings');
  it.git('push', '-q', 'origin', 'main');
  it.write('.env', 'SECRET=1\n');
  it.write('.git/hooks/pre-push', `#!/bin/sh\necho "$1" >> ${it.home}/pushed\n`);
  chmodSync(join(it.root, '.git/hooks/pre-push'), 0o755);
  // A plan that is in no commit, and a checkout that is being edited.
  it.story('cart', { title: HOSTILE }, { one: {}, two: { subject: HOSTILE }, three: {} });
  it.write('README.md', '# Being edited\n');
  writeFileSync(
    join(it.home, '.gitconfig'),
    '[user]\nname = W\nemail = w@example.org\n[safe]\nbareRepository = explicit\n',
  );
  writeFileSync(join(it.home, 'pushed'), '');
  const root = join(it.root, "../a project's folder");
  renameSync(it.root, root);
  const before = lookAround(it, root);
  const env = { COLUMNS: '80', CLAUDE_CODE_ENABLE_TASKS: '0', CLAUDECODE: '1' };
  const { code, stdout, stderr } = await it.saga(['rehearse', 'cart'], { cwd: root, env });
  expect(steady(stdout)).toMatchInlineSnapshot(`
    "✓ preflight        claude N, git N
    ✓ worktree         made on rehearsal/cart from main
    ✓ included         .env copied
    ✓ setup            cp .env copied && echo copied >> .gitignore && git commit
                       -qam ignore (N s)
    ✓ plan             3 tasks in the client's own list
    ✓ client           starts, and offers its Task tools
    ✓ model            N answers from the scripted model, nothing spent
    ✓ guard            refused a write outside the worktree
    ✓ tasks            3 of 3 tasks completed, and the story's files say so
    ✓ changed          4 files changed
    ✓ committed        nothing uncommitted
    ✓ definitions      unchanged
    ✓ protected-files  none changed
    ✓ history          rehearsal/cart has all its commits
    ✓ left             nothing is left beside the branch
    ✓ verify           test -f copied && test -f rehearsed/three.md ended with code
                       0 in a clean checkout
    ✓ pushed           to a stand-in, with the hooks of this repository; the remote
                       itself was not asked
    ✓ pull request     would be opened as a draft (GitHub was not asked)

    a run of cart would succeed · N s
    The branch and the worktree were removed.
    log: .git/saga/runs/rehearsals/cart.jsonl
    "
  `);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lookAround(it, root)).toEqual(before);
  expectNothingRunning(it);
  expect(readFileSync(join(it.home, 'pushed'), 'utf8')).toContain('origin\n');
  expect(readdirSync(root)).not.toContain('owned');
  expect(readdirSync(join(root, '.git/saga/runs/rehearsals')).toSorted()).toMatchInlineSnapshot(`
    [
      ".gitignore",
      "cart.jsonl",
      "locks",
      "sessions",
      "temp",
      "unfinished",
    ]
  `);
  expect(existsSync(`${root}.stories`)).toBe(false);
  expect(it.model.requests).toEqual([]);
  expect(it.github.requests).toEqual([]);
  expect(it.github.unknown).toEqual([]);
  expect((await it.saga(['sessions', '--json'], { cwd: root })).stdout).toContain('"sessions": []');
});

test('--keep keeps branch and worktree, and the next one takes their place', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', VERIFIED);
  const writeFiles = ['src/**/*.ts', 'README.md', 'docs', '!docs/old/**'];
  it.story(
    'cart',
    { writeFiles },
    {
      a: {},
      b: { writeFiles: ['README.md'] },
      c: { writeFiles: ['docs/'] },
      d: { rehearsal: { write: { 'src/d.ts': 'export {};\n' }, commit: 'd' } },
    },
  );
  const before = lookAround(it);
  const { code, wrong, kept } = await rehearse(it, 'cart', ['--keep']);
  expect({ code, wrong }).toEqual({ code: 0, wrong: {} });
  expect(kept).toEqual({
    branch: 'rehearsal/cart',
    worktree: '../project.stories/cart.rehearsal',
  });
  const changed = it.git('diff', '--name-only', 'main', 'rehearsal/cart', '--', ':!.saga');
  expect(changed).toBe('docs/rehearsed-c.md\nsrc/d.ts\nsrc/rehearsed-a.ts\n');
  expect(existsSync(join(it.root, kept?.worktree ?? '', 'src/d.ts'))).toBe(true);
  // What a person did in there is not thrown away with it.
  const inside = join(it.root, kept?.worktree ?? '');
  writeFileSync(join(inside, 'mine.txt'), 'mine');
  const again = await it.saga(['rehearse', 'cart']);
  expect(again.code).toBe(0);
  const [, aside = ''] = /It is kept: git show (\S+)/.exec(again.stdout) ?? [];
  expect(it.git('show', `${aside}:mine.txt`)).toBe('mine');
  it.git('update-ref', '-d', aside);
  expect(lookAround(it)).toEqual(before);
});

test('what a run would stumble over by its names is found: branch and folder', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', VERIFIED);
  it.story('cart', {}, { a: {} });
  it.git('branch', 'story');
  const before = lookAround(it);
  const branch = await rehearse(it, 'cart');
  expect(branch.wrong.worktree).toBe(
    'problem: A branch called story exists, so git cannot create one called story/cart. → Rename it: git branch -m story story-old',
  );
  expect(lookAround(it)).toEqual(before);
  it.git('branch', '-D', 'story');
  it.write('../project.stories/cart/mine.txt', 'mine');
  const folder = await rehearse(it, 'cart');
  expect(folder.wrong.worktree).toContain(
    `${it.worktrees}/cart exists, but it is not a worktree of this repository.`,
  );
  expect(readdirSync(it.worktrees)).toEqual(['cart']);
  expect(readFileSync(join(it.worktrees, 'cart/mine.txt'), 'utf8')).toBe('mine');
});

test('a command that fails is shown with what it said, and one run is enough', async () => {
  await using it = await createWorkshop();
  it.story('cart', { verify: 'echo first; echo "no such module" >&2; exit 3' }, { a: {} });
  const before = lookAround(it);
  const { code, stdout } = await it.saga(['rehearse', 'cart']);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /✗ verify .* ended with code 3 in a clean checkout\n +first\n +no such module\n +→ /,
  );
  expect(stdout).toContain('1 problem: a run of cart would fail');
  const log = readFileSync(join(it.root, '.git/saga/runs/rehearsals/cart.jsonl'), 'utf8');
  expect(log.match(/"type":"run:start"/g)).toHaveLength(1);

  it.write('.saga/config.json', { worktree: { setup: 'echo no network; exit 4' } });
  const { wrong, events, kept } = await rehearse(it, 'cart', ['--keep']);
  expect(wrong.setup).toMatch(/^problem: .*code 4.*\nno network → /);
  expect(events.some(({ type }) => type === 'run:start')).toBe(false);
  expect(kept).not.toBeNull();
  it.write('.saga/config.json', {});
  // It asks the client, which then has its own files there.
  await it.saga(['doctor', '--fix']);
  expect({ ...lookAround(it), home: before.home }).toEqual(before);
});

test('hooks of the repository that refuse are named, with their words', async () => {
  await using it = await createWorkshop();
  const hook = (name: string, text: string) => {
    it.write(`.git/hooks/${name}`, `#!/bin/sh\n${text}\n`);
    chmodSync(join(it.root, '.git/hooks', name), 0o755);
  };
  it.story('cart', {}, { a: {} });
  const before = lookAround(it);
  hook('pre-push', 'echo "ask Ann before you push" >&2; exit 1');
  const push = await rehearse(it, 'cart');
  expect(push.code).toBe(1);
  expect(push.wrong).toMatchInlineSnapshot(`
    {
      "pushed": "problem: ask Ann before you push → A hook of this repository (pre-push), or git itself, refuses it",
      "verify": "warning: unverified: no verify command is configured, so nothing is tested → Name one: saga config gate.verify "npm test"",
    }
  `);
  hook('pre-push', 'exit 0');
  hook('pre-commit', 'echo "lint: 3 errors" >&2; exit 1');
  const commit = await rehearse(it, 'cart');
  expect(commit.code).toBe(1);
  expect(commit.wrong).toMatchInlineSnapshot(`
    {
      "runs": "problem: git commit failed in task a
    Exit code 1
    lint: 3 errors → A hook or a command of this repository refuses: does it need something that a fresh worktree lacks (worktree.setup, .worktreeinclude)? To try it in the worktree, keep it with --keep",
      "tasks": "warning: 0 of 1 task completed",
    }
  `);
  expect(lookAround(it)).toEqual(before);
});

test('hints say what is done, up to a question for a person', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', VERIFIED);
  const blocker = { title: 'Which provider?', body: 'Two are possible.' };
  it.story(
    'cart',
    {},
    {
      a: { rehearsal: { run: ['echo by hand > hand.txt'], commit: 'a: by hand' } },
      b: { blockedBy: ['a'], rehearsal: { blocker } },
    },
  );
  const { code, stdout } = await it.saga(['rehearse', 'cart', '--keep']);
  expect(code).toBe(0);
  expect(stdout).toContain('1 of 2 tasks completed');
  expect(stdout).toContain('the story would wait for you: open blocker: Which provider?');
  expect(stdout).toContain('cart would wait for you · 2 warnings');
  expect(it.git('show', 'rehearsal/cart:hand.txt')).toBe('by hand\n');
  expect((await it.saga(['blockers', '--json'])).stdout).not.toContain('Which provider?');
});

test('a run for each task, with tests first', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', { ...VERIFIED, worker: { mode: 'task' } });
  const writeFiles = ['src/**', 'spec/**'];
  it.story(
    'cart',
    { writeFiles, description: 'Write the tests for carts (and more).' },
    {
      a: { needsTests: true },
    },
  );
  const { code, wrong, events } = await rehearse(it, 'cart');
  expect({ code, wrong }).toEqual({ code: 0, wrong: {} });
  const runs = events.filter((event) => event.type === 'run:start');
  expect(runs.map((event) => event.role)).toEqual(['tests', 'work']);
  it.write('.saga/config.json', VERIFIED);
  const whole = await rehearse(it, 'cart');
  expect({ code: whole.code, wrong: whole.wrong }).toEqual({ code: 0, wrong: {} });
});
