import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { settleElsewhere } from './settle-elsewhere.ts';
import { takeSnapshot } from './snapshot.ts';

/** A worktree of story x beside one of story other, and what a run does there by a shell. */
async function createPair() {
  const it = createProject();
  it.story('other');
  it.story('x');
  it.git('add', '-A');
  it.git('commit', '-qm', 'Plan');
  it.git('push', '-q', 'origin', 'main');
  await ensureWorktree(it.worker({}, { storyId: 'other' }));
  const worker = it.worker();
  const worktree = await ensureWorktree(worker);
  const before = await takeSnapshot(worker, worktree);
  return Object.assign(it, {
    worktree,
    run: (script: string) => {
      const env = { ...it.env, MAIN: it.root, OTHER: join(it.worktrees, 'other') };
      execFileSync('sh', ['-ec', script], { cwd: worktree.folder, env });
    },
    settle: () => settleElsewhere(worker, worktree, before, 'run-1'),
    ref: (name: string) => it.git('rev-parse', name).trim(),
  });
}

test("git's own files and refs are as they were, and copies are kept", async () => {
  using it = await createPair();
  const config = it.read('.git/config');
  const [main, other] = [it.ref('main'), it.ref('story/other')];
  it.run(`
    git commit -q --allow-empty -m mine
    git remote set-url origin /evil.git
    git config core.hooksPath /evil/hooks
    git config filter.evil.clean 'sed s/a/b/'
    git config branch.topic.remote origin
    echo '* filter=evil' > "$MAIN/.git/info/attributes"
    echo hidden >> "$MAIN/.git/info/exclude"
    mkdir -p "$MAIN/.git/hooks" && echo evil > "$MAIN/.git/hooks/pre-push"
    git update-ref refs/remotes/origin/main HEAD
    git update-ref refs/heads/main HEAD
    git update-ref refs/heads/story/other HEAD
    git replace HEAD HEAD~1
    git rev-parse HEAD > "$MAIN/.git/shallow"
    echo 'ref: refs/heads/evil' > "$MAIN/.git/HEAD"
  `);
  const mine = it.gitIn(it.worktree.folder, 'rev-parse', 'story/x').trim();
  expect(await it.settle()).toEqual([
    '.git/hooks/pre-push',
    '.git/info/attributes',
    '.git/info/exclude',
    '.git/shallow',
    '.git/config (remote.origin.url)',
    '.git/config (core.hookspath)',
    '.git/config (filter.evil.clean)',
    'HEAD of the main checkout',
    'refs/heads/main',
    'refs/heads/story/other',
    'refs/remotes/origin/main',
    `refs/replace/${mine}`,
  ]);
  expect(it.read('.git/config')).toBe(`${config}[branch "topic"]\n\tremote = origin\n`);
  expect(existsSync(join(it.root, '.git/hooks/pre-push'))).toBe(false);
  expect([it.ref('main'), it.ref('story/other'), it.ref('origin/main')]).toEqual([
    main,
    other,
    main,
  ]);
  expect(it.ref('story/x')).toBe(mine);
  expect(it.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main\n');
  const [told] = it.said('elsewhere:restored');
  expect(readFileSync(join(told?.keptIn ?? '', 'config'), 'utf8')).toContain('/evil.git');
  expect(told?.refs).toContainEqual({
    name: 'refs/heads/main',
    ref: 'refs/saga/trash/runs/x/run-1/heads/main',
  });
  expect(it.said('elsewhere:noticed')).toEqual([]);
  // Nothing is left to do.
  expect(await it.settle()).toEqual([]);
});

test('what a person does meanwhile stays, and is told', async () => {
  using it = await createPair();
  it.run(`
    cd "$MAIN"
    echo 1 > new.txt && git add new.txt && git commit -qm 'A commit of a person'
    git push -q origin main
    git branch topic
    git config user.name Somebody
    echo '{}' > .saga/config.json
    git switch -q -c elsewhere
    cd "$OTHER" && git commit -q --allow-empty -m 'In the other worktree'
  `);
  const [main, other] = [it.ref('main'), it.ref('story/other')];
  expect(await it.settle()).toEqual([]);
  expect([it.ref('main'), it.ref('story/other'), it.ref('origin/main')]).toEqual([
    main,
    other,
    main,
  ]);
  expect(it.said('elsewhere:noticed')).toMatchObject([
    {
      what: [
        '.git/config (user.name)',
        'the main checkout is on refs/heads/elsewhere now, before on refs/heads/main',
        'elsewhere is new',
        'main was moved',
        'story/other was moved',
        'topic is new',
        '.saga/config.json in the main checkout',
      ],
    },
  ]);
});

test('a branch that was deleted is told, and its commits are kept', async () => {
  using it = await createPair();
  it.git('tag', 'v1');
  it.git('branch', 'topic');
  const worker = it.worker();
  const before = await takeSnapshot(worker, it.worktree);
  const topic = it.ref('topic');
  it.run('git branch -qD topic');
  expect(await settleElsewhere(worker, it.worktree, before, 'run-2')).toEqual([]);
  expect(it.said('elsewhere:noticed')).toMatchObject([{ what: ['topic was deleted'] }]);
  expect(it.ref('refs/saga/trash/runs/x/run-2/heads/topic')).toBe(topic);
});
