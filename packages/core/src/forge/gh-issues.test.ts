import { expect, test } from 'vitest';
import { GITHUB_URL, startGitHub } from '../../../../test/rig/github/github.ts';
import { createProject } from '../../../../test/rig/project/project.ts';
import { openForge } from './forge.ts';

async function createScene() {
  const it = createProject();
  it.git('remote', 'add', 'github', GITHUB_URL);
  const github = await startGitHub(it);
  github.issues.push(
    { number: 12, title: 'Totals are wrong', body: '- [ ] one', labels: ['bug', 'shop'] },
    { number: 11, title: 'Gone', author: null, labels: ['bug'] },
    { number: 10, title: 'Closed', labels: ['bug'], state: 'CLOSED' },
  );
  github.pulls.push({
    ...{ number: 13, title: 'A pull', body: '', head: 'x', base: 'main' },
    ...{ isDraft: false, state: 'OPEN' },
  });
  const forge = openForge(it.root, { ...it.env, ...github.environment });
  const dispose = async () => {
    await github[Symbol.asyncDispose]();
    it[Symbol.dispose]();
  };
  return { it, github, forge, [Symbol.asyncDispose]: dispose };
}

test('an issue is read by its number', async () => {
  await using scene = await createScene();
  expect(await scene.forge.readIssue(12)).toEqual({
    number: 12,
    title: 'Totals are wrong',
    body: '- [ ] one',
    url: 'https://github.com/acme/widgets/issues/12',
    labels: ['bug', 'shop'],
    author: 'ada',
  });
  expect(await scene.forge.readIssue(11)).toMatchObject({ author: '', body: '' });
  expect(scene.github.unknown).toEqual([]);
});

test('what cannot be read says why', async () => {
  await using scene = await createScene();
  await expect(scene.forge.readIssue(99)).rejects.toThrow(/number of 99/);
  await expect(scene.forge.readIssue(13)).rejects.toThrow('#13 is a pull request, not an issue');
  scene.github.faults.push('IssueByNumber');
  await expect(scene.forge.readIssue(12)).rejects.toThrow(/502/);
  scene.it.git('remote', 'remove', 'github');
  await expect(scene.forge.readIssue(12)).rejects.toThrow('no remote is on GitHub');
});

test('open issues are listed, all or by their labels', async () => {
  await using scene = await createScene();
  const numbers = async (...labels: string[]) =>
    (await scene.forge.listIssues(labels, 50)).map((it) => it.number);
  expect(await numbers()).toEqual([11, 12]);
  expect(await numbers('bug')).toEqual([11, 12]);
  expect(await numbers('bug', 'shop')).toEqual([12]);
  expect(await numbers('none of these')).toEqual([]);
  expect(scene.github.unknown).toEqual([]);
});
