import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rehearse, VERIFIED } from '../../rig/worker/rehearse.ts';
import { lookAround } from '../../rig/worker/traces.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' });

/** A bare repository that nothing may reach. */
function createTrap(it: Workshop, name: string): { path: string; refs(): string } {
  const path = join(it.home, '..', name);
  git('init', '-q', '--bare', '-b', 'main', path);
  return { path, refs: () => git('-C', path, 'for-each-ref') };
}

const messageOf = (findings: { name: string; message: string }[], name: string) =>
  findings.find((it) => it.name === name)?.message;

test('without a remote nothing is pushed, and that is said', async () => {
  await using it = await createWorkshop({ remote: false });
  it.write('.saga/config.json', VERIFIED);
  it.story('cart', {}, { a: {} });
  const before = lookAround(it);
  const { code, wrong, findings } = await rehearse(it, 'cart');
  expect({ code, wrong }).toEqual({ code: 0, wrong: {} });
  expect(messageOf(findings, 'pushed')).toBeUndefined();
  expect(messageOf(findings, 'pull request')).toBe('none: there is no remote');
  expect(lookAround(it)).toEqual(before);
});

test('no address and no rule of the user leads anywhere but to the stand-in', async () => {
  await using it = await createWorkshop();
  const [first, second, lib] = ['first.git', 'second.git', 'lib.git'].map((name) =>
    createTrap(it, name),
  );
  const seed = join(it.home, '../seed');
  const local = '-c protocol.file.allow=always -c user.name=W -c user.email=w@w'.split(' ');
  git('init', '-q', '-b', 'main', seed);
  git(...local, '-C', seed, 'commit', '-q', '--allow-empty', '-m', 'lib');
  git('-C', seed, 'push', '-q', lib?.path ?? '', 'main');
  it.git(...local, 'submodule', '--quiet', 'add', lib?.path ?? '', 'lib');
  it.write('.saga/config.json', {
    // In a clean checkout the submodule's new commit would be missing, since nobody pushed it.
    gate: { ...VERIFIED.gate, clean: false },
    // The submodule's remote lies in /tmp, which a run in the sandbox has for itself.
    worker: { sandbox: 'off' },
    worktree: { setup: 'git -c protocol.file.allow=always submodule --quiet update --init' },
  });
  // A commit in a submodule: git would push it along.
  const run = [
    '(cd lib && git switch -q -c work && git commit -q --allow-empty -m new)',
    'git commit -qam lib',
  ];
  it.story('cart', {}, { a: { rehearsal: { run } } });
  it.git('add', '-A');
  it.git('commit', '-qm', 'With a submodule');
  it.git('push', '-q', 'origin', 'main');
  const library = lib?.refs();

  it.git('config', 'push.recurseSubmodules', 'on-demand');
  it.git('config', 'push.default', 'current');
  it.git('remote', 'set-url', 'origin', 'git://127.0.0.1:9/x/cart.git');
  appendFileSync(
    join(it.home, '.gitconfig'),
    [
      `[url "${first?.path}"]`,
      'insteadOf = git://127.0.0.1:9/x',
      'pushInsteadOf = git://127.0.0.1:9/x/',
      `[url "${second?.path}"]`,
      'pushInsteadOf = git://127.0.0.1:9/',
      'insteadOf = git://127.0.0.1:9/push/cart',
      '[protocol "file"]',
      'allow = never',
      '',
    ].join('\n'),
  );
  const tryAll = async (env: Record<string, string>) => {
    const before = lookAround(it);
    const { code, wrong, findings } = await rehearse(it, 'cart', [], { env });
    expect({ code, wrong }).toEqual({ code: 0, wrong: {} });
    expect(messageOf(findings, 'pushed')).toContain('to a stand-in');
    expect([first?.refs(), second?.refs(), lib?.refs()]).toEqual(['', '', library]);
    expect(lookAround(it)).toEqual(before);
  };
  await tryAll({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' });
  it.git('config', '--add', 'remote.origin.pushurl', 'git://127.0.0.1:9/push/cart.git');
  it.git('config', '--add', 'remote.origin.pushurl', `${first?.path}`);
  await tryAll({ GIT_ALLOW_PROTOCOL: 'https:ssh' });
  const before = lookAround(it);

  // A rule for the very address is as long as ours, and stands before it: better nothing than that.
  appendFileSync(
    join(it.home, '.gitconfig'),
    `[url "${second?.path}"]\ninsteadOf = git://127.0.0.1:9/x/cart.git\n`,
  );
  const refused = await it.saga(['rehearse', 'cart']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`A rehearsal would use the remote ${second?.path}`);
  expect([first?.refs(), second?.refs()]).toEqual(['', '']);
  expect(lookAround(it)).toEqual(before);
});

test('a shallow clone, with a default branch that is not checked out', async () => {
  await using it = await createWorkshop({ defaultBranch: 'trunk' });
  it.write('.saga/config.json', VERIFIED);
  it.story('cart', {}, { a: { status: 'completed' } });
  it.git('add', '-A');
  it.git('commit', '-qm', 'The plan');
  it.git('push', '-q', 'origin', 'trunk');
  const clone = join(it.root, '../clone');
  git('clone', '-q', '--depth', '1', `file://${it.origin}`, clone);
  git('-C', clone, 'switch', '-q', '-c', 'topic');
  renameSync(it.root, join(it.root, '../old'));
  renameSync(clone, it.root);
  expect(existsSync(join(it.root, '.git/shallow'))).toBe(true);
  const before = {
    ...lookAround(it),
    shallow: readFileSync(join(it.root, '.git/shallow'), 'utf8'),
  };
  const { code, wrong, findings } = await rehearse(it, 'cart');
  expect(code).toBe(0);
  expect(wrong).toEqual({
    'pull request': expect.stringMatching(/^warning: none: no remote is on GitHub → /),
  });
  expect(messageOf(findings, 'worktree')).toBe('made on rehearsal/cart from trunk');
  expect({
    ...lookAround(it),
    shallow: readFileSync(join(it.root, '.git/shallow'), 'utf8'),
  }).toEqual(before);
});
