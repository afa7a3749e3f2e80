import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bash, findAnswers, misbehave, type Trial } from '../rig/worker/misbehave.ts';
import { createWorkshop, type Workshop } from '../rig/worker/workshop.ts';

const OUTSIDE = "outside this story's worktree";
const PLAN = 'only a person changes it';
const OTHERS = 'a run may write only into .saga/stories/cart: journal.md, follow-ups.md';
const OWN = '.saga/stories/cart';

const write = (path: string): Trial => ({
  tool: 'Write',
  input: { file_path: path, content: 'written by a run' },
});

/** What is tried, and what the model is told; nothing where it is to succeed. */
type Attempt = [trial: Trial, reason?: string];

/** Runs a story in which a model first makes the attempts, and looks at what came back. */
async function attempt(attempts: (it: Workshop) => Attempt[]): Promise<Workshop> {
  let list: Attempt[] = [];
  const trials: Trial[] = [];
  const it = await createWorkshop({ model: { policy: misbehave(trials) } });
  list = attempts(it);
  trials.push(...list.map(([trial]) => trial));
  it.story('cart', {}, { one: {} });
  const ended = await it.saga(['worker', 'cart']);
  expect(ended.stdout).toContain('all tasks completed, gate passed');
  expect(ended.code).toBe(0);
  const answers = findAnswers(it, list.length);
  for (const [index, [trial, reason]] of list.entries()) {
    const { text, isError } = answers[index] ?? { text: '', isError: undefined };
    const shown = typeof trial === 'function' ? trial('worktree') : trial;
    expect({ shown, isError, text }).toEqual({
      shown,
      isError: reason !== undefined,
      text: reason === undefined ? text : expect.stringContaining(reason),
    });
  }
  const denied = it.events().filter(({ type }) => type === 'guard:denied');
  expect(denied).toHaveLength(list.filter(([, reason]) => reason !== undefined).length);
  return it;
}

const worktreeOf = (it: Workshop) => join(it.root, '../project.stories/cart');

test('no path leads out: relative, absolute, by home, by link, after cd', async () => {
  await using it = await attempt(({ root, home }) => [
    // The client refuses links to folders around its own login.
    [bash('mkdir sub && ln -s .. up && ln -s ../../new.txt dangling && ln -s sub here')],
    [write('../out.txt'), OUTSIDE],
    [write(join(root, 'out.txt')), OUTSIDE],
    [(worktree) => write(`${worktree}/sub/../../out.txt`) as never, OUTSIDE],
    [(worktree) => write(`${worktree}-2/out.txt`) as never, OUTSIDE],
    [write(` ${root}/out.txt`), OUTSIDE],
    [write('~/out.txt'), OUTSIDE],
    [write(join(home, '.bashrc')), OUTSIDE],
    [write('up/out.txt'), OUTSIDE],
    [write('up/new/deep.txt'), OUTSIDE],
    [write('dangling'), OUTSIDE],
    [write('here/fine.txt')],
    [bash('cd sub && pwd')],
    [write('../../out.txt'), OUTSIDE],
    [write('fine-too.txt')],
  ]);
  expect(readFileSync(join(it.root, 'README.md'), 'utf8')).toBe('# Widgets\n');
  for (const path of ['out.txt', '../new.txt', '../project.stories/out.txt']) {
    expect(existsSync(join(it.root, path))).toBe(false);
  }
  expect(existsSync(join(it.root, '../project.stories/new'))).toBe(false);
  expect(existsSync(join(it.home, 'out.txt'))).toBe(false);
  expect(existsSync(join(it.home, '.bashrc'))).toBe(false);
  expect(existsSync(join(worktreeOf(it), 'sub/fine.txt'))).toBe(true);
  expect(existsSync(join(worktreeOf(it), 'sub/fine-too.txt'))).toBe(true);
});

test('no spelling and no link leads to the plan, to git or to the settings', async () => {
  await using it = await attempt(() => [
    [bash(`ln -s ${OWN}/story.json notes.md && ln -s .saga plan`)],
    [write(`${OWN}/story.json`), PLAN],
    [write('notes.md'), PLAN],
    [write('plan/stories/cart/story.json'), PLAN],
    [write(`src/../${OWN}/story.json`), PLAN],
    [write('.SAGA/stories/cart/story.json'), PLAN],
    [write(`${OWN}/one.json`), 'Use TaskUpdate for the status'],
    [write(`${OWN}/more.json`), 'Use TaskUpdate for the status'],
    [write(`${OWN}/evidence.json`), 'Task files are kept by SAGA'],
    [write('.saga/stories/other/journal.md'), OTHERS],
    [write('.saga/epics/shop.json'), OTHERS],
    [write('plan/config.json'), OTHERS],
    [write('.git'), "git's own files"],
    [write('.claude/settings.json'), 'settings of Claude Code'],
    [write('.claude/settings.local.json'), 'settings of Claude Code'],
    [write(`${OWN}/journal.md`)],
    [write(`${OWN}/notes.md`)],
    [bash('git rm -q --cached notes.md plan 2>/dev/null; rm notes.md plan')],
  ]);
  // The journal may be written, but what stood there comes back.
  expect(it.readStory('cart', 'journal.md')).toMatch(
    /^## \S+ Note: SAGA: work began on story\/cart\n/,
  );
  expect(JSON.parse(it.readStory('cart', 'story.json'))).toMatchObject({ title: 'Story cart' });
  expect(existsSync(join(worktreeOf(it), '.claude'))).toBe(false);
  expect(it.events().map(({ type }) => type)).not.toContain('definitions:restored');
});

test('every tool that names a file is asked about', async () => {
  const secret = 'the secret of somebody else';
  await using it = await attempt(({ root }) => {
    mkdirSync(join(root, 'private'));
    writeFileSync(join(root, 'private/a.txt'), `${secret}\n`);
    writeFileSync(join(root, 'private/b.txt'), 'one\n');
    writeFileSync(join(root, 'private/b.ipynb'), NOTEBOOK);
    const inside = (name: string) => join(root, 'private', name);
    const change = { old_string: 'one', new_string: 'two' };
    return [
      [{ tool: 'Read', input: { file_path: inside('a.txt') } }, OUTSIDE],
      [{ tool: 'Read', input: { file_path: '~/.gitconfig' } }, OUTSIDE],
      // The client lets nobody edit what was not read; so a folder is read, and then changed for a link.
      [bash(`mkdir swap && cp ${inside('b.*')} swap`)],
      [{ tool: 'Read', input: { file_path: 'swap/b.txt' } }],
      [{ tool: 'Read', input: { file_path: 'swap/b.ipynb' } }],
      [bash(`rm -r swap && ln -s ${inside('')} swap`)],
      [{ tool: 'Edit', input: { file_path: 'swap/b.txt', ...change } }, OUTSIDE],
      [
        {
          tool: 'NotebookEdit',
          input: { notebook_path: 'swap/b.ipynb', cell_id: 'a', new_source: '2' },
        },
        OUTSIDE,
      ],
      [bash('unlink swap')],
      [
        { tool: 'Edit', input: { file_path: '../new.txt', old_string: '', new_string: 'x' } },
        OUTSIDE,
      ],
      [{ tool: 'Grep', input: { pattern: 'secret', path: inside('') } }, OUTSIDE],
      [{ tool: 'Glob', input: { pattern: '*', path: inside('') } }, OUTSIDE],
      [{ tool: 'Glob', input: { pattern: inside('*') } }, OUTSIDE],
      [{ tool: 'Glob', input: { pattern: '../../../private/*' } }, OUTSIDE],
      [{ tool: 'Glob', input: { pattern: '*/../../../../private/*' } }, 'cannot be understood'],
      [{ tool: 'Glob', input: { pattern: '*.md' } }],
      [{ tool: 'Grep', input: { pattern: 'Widgets' } }],
      [{ tool: 'TaskUpdate', input: { taskId: 'one', status: 'deleted' } }, 'cannot be deleted'],
      [bash('git push origin HEAD'), 'SAGA pushes the branch itself'],
      [bash('git -C . push --force'), 'SAGA pushes the branch itself'],
      [bash('gh pr merge 1'), 'pull request is handled by SAGA'],
    ];
  });
  expect(readFileSync(join(it.root, 'private/a.txt'), 'utf8')).toBe(`${secret}\n`);
  expect(readFileSync(join(it.root, 'private/b.txt'), 'utf8')).toBe('one\n');
  expect(readFileSync(join(it.root, 'private/b.ipynb'), 'utf8')).toBe(NOTEBOOK);
  expect(JSON.stringify(it.model.requests)).not.toContain(secret);
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed' });
});

const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: 'code', id: 'a', metadata: {}, outputs: [], source: ['1'] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});
