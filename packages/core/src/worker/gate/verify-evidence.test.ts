import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence, VerifyRun } from '@saga-ai/types/run/evidence';
import { expect, test } from 'vitest';
import { buildStory, buildTask } from '../../../../../test/rig/project/plan-files.ts';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { saveTaskFields } from '../../plan/stories.ts';
import { buildPaths } from '../../project/paths.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { runGate } from './gate.ts';
import { verifyEvidence } from './verify-evidence.ts';

const FILE = '.saga/stories/x/evidence.json';

/** A story whose gate passed. */
async function createPassed() {
  const it = createProject();
  it.story('x', { verify: 'true', writeFiles: ['src/'] }, { one: {} });
  const worktree = await ensureWorktree(it.worker());
  const { folder, git } = worktree;
  const put = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const commit = async (message = 'By hand') => {
    await git.run(['add', '-A']);
    await git.run(['commit', '-q', '--allow-empty', '-m', message]);
  };
  it.write('../project.stories/x/src/cart.js', 'cart\n');
  await commit('Work');
  await saveTaskFields(it.paths, 'x', 'one', { status: 'completed' });
  const evidence = await runGate(it.worker(), worktree, [], '9.9.9');
  const verify = (protectedFiles: string[] = []) =>
    verifyEvidence(it.paths, 'x', protectedFiles, it.env);
  /** Without its seal, so that the other checks have to notice the change. */
  const edit = (changes: Partial<Evidence>) => {
    const { seal: _, ...plain } = evidence;
    put(FILE, `${JSON.stringify({ ...plain, ...changes }, null, 2)}\n`);
  };
  /** What does not hold, as a person reads it. */
  const faults = async (protectedFiles?: string[]) =>
    (await verify(protectedFiles)).findings
      .filter((finding) => !finding.holds)
      .map(({ what, detail }) => `${what}: ${detail}`);
  return Object.assign(it, { evidence, inside: git, put, commit, verify, edit, faults });
}
type Passed = Awaited<ReturnType<typeof createPassed>>;

test('it holds, also after a note in the journal, a merge, and without branch and worktree', async () => {
  using it = await createPassed();
  const first = await it.verify();
  expect(first).toMatchObject({ holds: true });
  expect(first.findings.find(({ what }) => what === 'signature')).toEqual({
    what: 'signature',
    holds: true,
    detail: `signed with ${it.evidence.seal?.key} (this machine's key)`,
  });
  it.put('.saga/stories/x/journal.md', '## Note: Looked at it\n');
  expect(await it.verify()).toMatchObject({ holds: true });
  await it.commit();
  expect(await it.verify()).toMatchObject({ holds: true });
  it.git('rm', '-rq', '--cached', '--ignore-unmatch', '.saga/stories/x');
  it.git('worktree', 'remove', '--force', '../project.stories/x');
  it.git('-c', 'user.name=M', 'clean', '-fdq', '.saga/stories/x');
  it.git('merge', '-q', '--no-ff', '-m', 'Merge', 'story/x');
  it.git('branch', '-qD', 'story/x');
  it.git('commit', '-q', '--allow-empty', '-m', 'Others go on');
  expect(await it.faults()).toEqual([]);
});

test('without a worktree, the evidence on the branch counts, here and in a clone', async () => {
  using it = await createPassed();
  it.git('push', '-q', 'origin', 'main', 'story/x');
  const folder = join(it.worktrees, 'x');
  it.git('worktree', 'remove', '--force', folder);
  expect(await it.verify()).toMatchObject({ holds: true, evidence: { outcome: 'passed' } });
  // A clone that knows the branch from the remote, and has the plan in its main checkout.
  const clone = join(it.folder, 'clone');
  it.gitIn(it.folder, 'clone', '-q', it.origin, clone);
  it.write('../clone/.saga/stories/x/story.json', buildStory('x'));
  it.write('../clone/.saga/stories/x/one.json', buildTask('one'));
  const inClone = () => verifyEvidence(buildPaths(clone), 'x', [], it.env);
  expect(await inClone()).toMatchObject({ holds: true });

  it.git('worktree', 'add', '-q', folder, 'story/x');
  it.put('src/more.js', 'more\n');
  await saveTaskFields(it.paths, 'x', 'one', { status: 'pending' });
  await it.commit();
  it.git('push', '-q', 'origin', 'story/x');
  it.git('worktree', 'remove', '--force', folder);
  const faults = ['since: changed since: src/more.js', 'since: open again: one'];
  expect(await it.faults()).toEqual(faults);
  it.gitIn(clone, 'fetch', '-q');
  expect((await inClone()).findings.filter(({ holds }) => !holds)).toHaveLength(2);
});

test.each<[string, string[], (it: Passed) => unknown]>([
  [
    'an outcome that was edited',
    [`since: not committed: ${FILE}`],
    (it) => it.edit({ endedAt: 'later' }),
  ],
  [
    'evidence that was edited after it was signed',
    [
      'signature: the signature does not match: the evidence was changed after it was signed',
      `since: not committed: ${FILE}`,
    ],
    (it) => it.edit({ seal: it.evidence.seal, endedAt: 'later' }),
  ],
  [
    'evidence that was edited and committed',
    [`since: ${FILE} was edited in COMMIT`],
    async (it) => {
      it.edit({ endedAt: 'later' });
      await it.commit();
    },
  ],
  [
    'a check taken out',
    ['protected-files: the evidence has no result for this check', `since: not committed: ${FILE}`],
    (it) =>
      it.edit({ checks: it.evidence.checks.filter((check) => check.name !== 'protected-files') }),
  ],
  [
    'a failure painted over',
    [
      'verify: the evidence says passed, but true ended with code 1',
      `since: not committed: ${FILE}`,
    ],
    (it) => it.edit({ verify: { ...(it.evidence.verify as VerifyRun), exitCode: 1 } }),
  ],
  [
    'a commit that is not there',
    ['commits: BASE..eeeeeeeeeeee is not in this repository'],
    (it) => it.edit({ head: 'e'.repeat(40) }),
  ],
  [
    'a commit from before the story',
    ['commits: BASE..BASE contains other files than the evidence says'],
    (it) => it.edit({ head: it.evidence.base }),
  ],
  [
    'commits added afterwards',
    ['since: changed since: src/cart.js'],
    async (it) => {
      it.put('src/cart.js', 'changed\n');
      await it.commit();
    },
  ],
  [
    'changes that are in no commit',
    ['since: not committed: src/cart.js'],
    (it) => it.put('src/cart.js', 'changed\n'),
  ],
  [
    'a branch that was reset',
    ['since: story/x does not contain the commit that was checked', 'since: open again: one'],
    async (it) => {
      await it.inside.run(['reset', '-q', '--hard', 'HEAD~2']);
      it.edit({});
      await it.commit();
    },
  ],
  [
    'a task that was opened again',
    ['since: not committed: .saga/stories/x/one.json', 'since: open again: one'],
    (it) => saveTaskFields(it.paths, 'x', 'one', { status: 'pending' }),
  ],
])('it does not hold with %s', async (_, expected, act) => {
  using it = await createPassed();
  await act(it);
  const steady = (await it.faults()).map((line) =>
    line.replaceAll(it.evidence.base.slice(0, 12), 'BASE').replace(/in [0-9a-f]{12}$/, 'in COMMIT'),
  );
  expect(steady).toEqual(expected);
});

test('files that are protected by now count; a gate that failed never holds', async () => {
  using it = await createPassed();
  expect(await it.faults(['src/'])).toEqual([
    'protected-files: the evidence says passed, but changed: src/cart.js',
  ]);
  await saveTaskFields(it.paths, 'x', 'one', { status: 'in_progress' });
  const worker = it.worker();
  await runGate(worker, await ensureWorktree(worker), [], '9.9.9');
  expect(await it.faults()).toEqual([
    'outcome: the gate failed',
    'tasks: not completed: one',
    'since: open again: one',
  ]);
});

test('without evidence the error says how to get it', async () => {
  using it = createProject();
  it.story('x');
  await expect(verifyEvidence(it.paths, 'x', [], it.env)).rejects.toMatchObject({
    code: 'no-evidence',
    hint: 'Run it: saga run x',
  });
});
