import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { openGit } from '../../git/git.ts';
import { readRefs } from '../../git/read-refs.ts';
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
    settle: (isEnclosed = false) => settleElsewhere(worker, worktree, before, 'run-1', isEnclosed),
    ref: (name: string) => it.git('rev-parse', name).trim(),
  });
}

test('beside a run in the sandbox a person may do everything; it is only told', async () => {
  using it = await createPair();
  it.run(`
    cd "$MAIN"
    git commit -q --allow-empty -m merged
    git push -q origin main
    git remote set-url origin /moved/origin.git
    echo '#!/bin/sh' > .git/hooks/pre-push
    git switch -qc topic
  `);
  const [main, config] = [it.ref('main'), it.read('.git/config')];
  expect(await it.settle(true)).toEqual([]);
  expect([it.ref('main'), it.ref('origin/main')]).toEqual([main, main]);
  expect(it.read('.git/config')).toBe(config);
  expect(it.read('.git/hooks/pre-push')).toBe('#!/bin/sh\n');
  expect(it.git('branch', '--show-current')).toBe('topic\n');
  const told = it.events.find((event) => event.type === 'elsewhere:noticed');
  expect(told?.what).toEqual([
    '.git/hooks/pre-push',
    '.git/config (remote.origin.url)',
    'the main checkout is on refs/heads/topic now, before on refs/heads/main',
    'main was moved',
    'topic is new',
  ]);
});

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

const SUBMODULE = `
  git init -q "$MAIN/../source" && cd "$MAIN/../source" && git commit -q --allow-empty -m a && cd - > /dev/null
  git -c protocol.file.allow=always submodule --quiet add "$MAIN/../source" m
`;

test('a submodule runs no program that a run named, in what was there and in what is new', async () => {
  using it = await createPair();
  it.run(SUBMODULE);
  // What git itself writes for a new submodule stays.
  expect((await it.settle()).filter((it) => it.includes('modules'))).toEqual([]);
  const worker = it.worker();
  const before = await takeSnapshot(worker, it.worktree);
  it.run(`
    cd m
    D=$(git rev-parse --git-dir)
    git config filter.q.clean evil
    git config core.worktree /evil
    echo '* filter=q' > "$D/info/attributes"
    echo evil > "$D/hooks/post-checkout"
    mkdir -p "$D/modules/deep" && cd "$D/modules/deep" && git init -q --bare . && git config core.fsmonitor evil
  `);
  const modules = '.git/worktrees/x/modules/m';
  const settle = () => settleElsewhere(worker, it.worktree, before, 'run-2');
  expect(await settle()).toEqual([
    `${modules}/hooks/post-checkout`,
    `${modules}/info/attributes`,
    `${modules}/config (core.worktree)`,
    `${modules}/config (filter.q.clean)`,
    `${modules}/modules/deep/config (core.fsmonitor)`,
  ]);
  expect(it.gitIn(join(it.worktree.folder, 'm'), 'status', '--porcelain')).toBe('');
  expect(await settle()).toEqual([]);
});

test('the files of a new submodule lie in a checkout', async () => {
  using it = await createPair();
  it.run(`${SUBMODULE} git -C m config core.worktree /evil`);
  expect(await it.settle()).toContain('.git/worktrees/x/modules/m/config (core.worktree)');
});

test('a submodule that is gone is told', async () => {
  using it = await createPair();
  it.run(SUBMODULE);
  const worker = it.worker();
  const before = await takeSnapshot(worker, it.worktree);
  it.run('rm -r "$(git -C m rev-parse --git-dir)"');
  expect(await settleElsewhere(worker, it.worktree, before, 'run-2')).toEqual([]);
  const what = ['.git/worktrees/x/modules/m is gone'];
  expect(it.said('elsewhere:noticed').at(-1)).toMatchObject({ what });
});

test('the links of other worktrees are put back; a new worktree and a further store of objects stay', async () => {
  using it = await createPair();
  it.run(`
    echo /evil > "$MAIN/.git/worktrees/other/commondir"
    echo '[core] fsmonitor = evil' > "$MAIN/.git/worktrees/other/config.worktree"
    git worktree add -q --detach "$MAIN/../third"
    echo /evil/objects > "$MAIN/.git/objects/info/alternates"
  `);
  expect(await it.settle()).toEqual([
    '.git/worktrees/other/commondir',
    '.git/worktrees/other/config.worktree (core.fsmonitor)',
  ]);
  expect(it.said('elsewhere:noticed')).toMatchObject([{ what: ['.git/objects/info/alternates'] }]);
  expect(it.gitIn(join(it.worktrees, 'other'), 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(
    'story/other\n',
  );
});

test('a ref that a program wrote in its place is seen, with the size and the time of before', async () => {
  using it = await createPair();
  it.git('branch', 'topic');
  const path = join(it.root, '.git/refs/heads/topic');
  const git = openGit(it.root, it.env);
  // Late enough that the change time of a file says everything.
  const read = () => readRefs(git, join(it.root, '.git'), Date.now() + 60_000);
  const first = await read();
  expect(await read()).toEqual(first);
  const { atime, mtime } = statSync(path);
  const evil = it.git('commit-tree', '-m', 'evil', 'HEAD^{tree}');
  writeFileSync(path, evil);
  utimesSync(path, atime, mtime);
  expect((await read()).get('refs/heads/topic')).toBe(evil.trim());
});
