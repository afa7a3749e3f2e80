import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../../test/rig/project/project.ts';
import { openGit } from '../../git/git.ts';
import { findGitFacts, findUnchanged } from './git-facts.ts';

const facts = (it: Project, base?: string) => findGitFacts(openGit(it.root, it.env), base);
const evidence = (it: Project, id: string, outcome = 'passed') =>
  it.write(`.saga/stories/${id}/evidence.json`, { story: id, outcome });
const commit = (it: Project, message: string) => {
  it.git('add', '-A');
  it.git('commit', '-q', '-m', message);
  return it.git('rev-parse', 'HEAD').trim();
};

test('a story is in the base when its evidence is in the tree of the base, however it got there', async () => {
  using it = createProject({ remote: null });
  for (const id of ['merged', 'squashed', 'failed', 'foreign', 'broken', 'open']) it.story(id);
  commit(it, 'Plan');
  for (const id of ['merged', 'squashed', 'open']) {
    it.git('switch', '-q', '-c', `story/${id}`, 'main');
    evidence(it, id);
    commit(it, `${id} passed its gate`);
  }
  it.git('switch', '-q', 'main');
  it.git('merge', '-q', '--no-ff', '--no-edit', 'story/merged');
  it.git('merge', '-q', '--squash', 'story/squashed');
  commit(it, 'Squash');
  evidence(it, 'failed', 'failed');
  it.write('.saga/stories/foreign/evidence.json', { story: 'merged', outcome: 'passed' });
  it.write('.saga/stories/broken/evidence.json', '{ "outcome": "passed"');
  commit(it, 'Others');
  const { inBase, tips, base } = await facts(it);
  expect(Object.keys(inBase).sort()).toEqual(['merged', 'squashed']);
  expect(Object.keys(tips).sort()).toEqual(['merged', 'open', 'squashed']);
  expect(base).toEqual({ branch: 'main', commit: it.git('rev-parse', 'main').trim() });
});

test('what lies in files or in another branch only is not in the base', async () => {
  using it = createProject();
  it.story('x');
  evidence(it, 'x');
  expect((await facts(it)).inBase).toEqual({});
  commit(it, 'Not pushed');
  // The base is the branch of the remote, as last fetched.
  expect((await facts(it)).inBase).toEqual({});
  it.git('push', '-q', 'origin', 'main');
  expect(Object.keys((await facts(it)).inBase)).toEqual(['x']);
  it.git('branch', 'develop', 'main~1');
  expect((await facts(it, 'develop')).inBase).toEqual({});
});

test('a branch that only the remote has is known by it', async () => {
  using it = createProject();
  it.git('push', '-q', 'origin', 'main:refs/heads/story/far', 'main:refs/heads/feature/x');
  it.git('fetch', '-q');
  const { tips } = await facts(it);
  expect(Object.keys(tips)).toEqual(['far']);
});

test('what is known is taken over while the tree of stories is the same, and read again otherwise', async () => {
  using it = createProject({ remote: null });
  it.story('x');
  it.story('y');
  evidence(it, 'x');
  commit(it, 'x');
  const first = await facts(it);
  it.write('code.txt', '1\n');
  commit(it, 'Code');
  const second = await findGitFacts(openGit(it.root, it.env), undefined, first);
  expect(second.inBase).toBe(first.inBase);
  evidence(it, 'y');
  commit(it, 'y');
  const third = await findGitFacts(openGit(it.root, it.env), undefined, second);
  expect(Object.keys(third.inBase).sort()).toEqual(['x', 'y']);
});

test('a repository without a commit, and none at all', async () => {
  using it = createProject({ remote: null });
  it.git('checkout', '-q', '--orphan', 'empty');
  it.git('branch', '-q', '-D', 'main');
  expect(await facts(it)).toEqual({ inBase: {}, tips: {}, epics: {} });
});

test('bookkeeping after the gate changes nothing; anything else does, whatever its name', async () => {
  using it = createProject({ remote: null });
  const cases: [string, string][] = [
    ['same', ''],
    ['books', '.saga/stories/books/journal.md'],
    ['code', 'code.txt'],
    ['other', '.saga/stories/code/journal.md'],
  ];
  const checked: { id: string; head: string; tip: string }[] = [];
  for (const [id, path] of cases) {
    it.git('switch', '-q', '-c', `story/${id}`, 'main');
    it.write(`${id}.txt`, 'work\n');
    const head = commit(it, 'Work');
    if (path !== '') it.write(path, 'more\n');
    checked.push({ id, head, tip: path === '' ? head : commit(it, 'More') });
  }
  // A file whose name looks like what git prints between two pairs.
  it.git('switch', '-q', '-c', 'story/sly', 'main');
  it.write('sly.txt', 'work\n');
  const head = commit(it, 'Work');
  const from = it.git('rev-parse', 'HEAD^{tree}').trim();
  it.write('a.txt', 'hidden\n');
  it.write(`${from} ${from}\n.saga/x`, '');
  it.write('.saga/stories/sly/journal.md', 'x\n');
  checked.push({ id: 'sly', head, tip: commit(it, 'More') });
  checked.push({ id: 'gone', head: '0'.repeat(40), tip: head });
  const same = await findUnchanged(openGit(it.root, it.env), checked);
  expect([...same].sort()).toEqual(['books', 'same']);
});
