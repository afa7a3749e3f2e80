import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GITHUB_URL, startGitHub } from '../../rig/github/github.ts';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createProject } from '../../rig/project/project.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';

async function createScene() {
  const it = createProject();
  it.git('remote', 'add', 'github', GITHUB_URL);
  const github = await startGitHub(it);
  const saga = (...args: string[]) =>
    runProgram(SAGA, args, { cwd: it.root, env: { ...it.env, ...github.environment } });
  const dispose = async () => {
    await github[Symbol.asyncDispose]();
    it[Symbol.dispose]();
  };
  return { it, github, saga, [Symbol.asyncDispose]: dispose };
}

test('issues become stories by number or by label, once', async () => {
  await using scene = await createScene();
  const { github, saga } = scene;
  github.issues.push(
    { number: 12, title: 'Totals are wrong', body: '- [ ] Round once', labels: ['saga'] },
    { number: 34, title: 'Slow search', labels: ['saga'], author: 'eve' },
    { number: 35, title: 'Other' },
  );
  const dry = await saga('import', 'github', '--label', 'saga', '--dry-run');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toContain('Would create 2 stories, 2 tasks:');
  expect(dry.stdout).toContain('#34 Slow search, by eve → slow-search (1 task)');
  expect(dry.stdout).toContain('Nothing was written.');
  expect((await saga('list')).stdout).not.toContain('slow-search');

  expect(await saga('import', 'github', '12')).toMatchObject({ code: 0, stderr: '' });
  const second = await saga('import', 'github', '--label', 'saga');
  expect(second.stdout).toContain('✓ 1 story, 1 task');
  expect(second.stdout).toContain('totals-are-wrong is there already, and stays as it is');
  const { stdout } = await saga('import', 'github', '12', '34', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    issues: [
      { number: 12, story: 'totals-are-wrong', tasks: 0 },
      { number: 34, tasks: 0 },
    ],
  });
  await expectJson('import', stdout);
  expect(await saga('check')).toMatchObject({ code: 0 });
  expect(github.unknown).toEqual([]);
});

test('if one issue cannot be read, nothing is written, and every reason is said', async () => {
  await using scene = await createScene();
  const { github, it, saga } = scene;
  github.issues.push({ number: 12, title: 'Totals are wrong' });
  const failed = await saga('import', 'github', '12', '98', '99');
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('#98: ');
  expect(failed.stderr).toContain('#99: ');
  expect(failed.stderr).toContain('Nothing was written');
  expect((await saga('list')).stdout).not.toContain('totals');
  expect((await saga('import', 'github')).stderr).toContain('No issue is named');
  expect((await saga('import', 'github', 'x')).stderr).toContain('is not the number of an issue');
  expect((await saga('import', 'jira', '1')).stderr).toContain('cannot be read from "jira"');
  it.git('remote', 'remove', 'github');
  expect((await saga('import', 'github', '12', '13')).stderr).toContain('no remote is on GitHub');
});

test('the plan is exported as Markdown, and created again from it', async () => {
  await using scene = await createScene();
  const { it, saga } = scene;
  it.story(
    'cart',
    { epic: 'shop', issue: 'https://github.com/acme/widgets/issues/12' },
    { one: {} },
  );
  it.story('alone', {}, { two: {} });
  it.epic('shop', { cart: [] });
  const one = await saga('export', 'cart');
  expect(one).toMatchObject({ code: 0, stderr: '' });
  expect(one.stdout).toContain('**Issue:** https://github.com/acme/widgets/issues/12');
  await expectJson('export', (await saga('export', '--json')).stdout);
  expect((await saga('export')).stdout).toMatch(/<!-- alone\.md -->[\s\S]*<!-- shop\.md -->/);

  const written = await saga('export', '--to', 'plan');
  expect(written.stdout).toContain('2 files written: plan');
  const folder = join(it.root, 'plan');
  expect(readdirSync(folder).sort()).toEqual(['alone.md', 'shop.md']);
  expect(await saga('export', '--to', 'plan')).toMatchObject({ code: 0 });
  writeFileSync(join(folder, 'alone.md'), 'mine\n');
  const refused = await saga('export', '--to', 'plan');
  expect(refused.stderr).toContain('alone.md exists and differs. Nothing was written.');
  expect(readFileSync(join(folder, 'alone.md'), 'utf8')).toBe('mine\n');
  expect((await saga('export', 'shop', '--to', 'plan')).stderr).toContain('is a folder');

  const other = join(it.folder, 'other');
  mkdirSync(other);
  it.gitIn(other, 'init', '-q');
  const there = (...args: string[]) => runProgram(SAGA, args, { cwd: other, env: it.env });
  expect(await there('init')).toMatchObject({ code: 0 });
  expect(await there('create', join(folder, 'shop.md'))).toMatchObject({ code: 0 });
  expect((await there('export', 'shop')).stdout).toBe((await saga('export', 'shop')).stdout);
});
