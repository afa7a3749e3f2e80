import { describe, expect, test } from 'vitest';
import { type Setting, sortConfigChanges } from './config-changes.ts';

const BEFORE: Setting[] = [
  ['core.bare', 'false'],
  ['remote.origin.url', '/a'],
  ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
];
const sort = (...added: Setting[]) => {
  const { undone, noticed } = sortConfigChanges(BEFORE, [...BEFORE, ...added]);
  return { undone, noticed };
};

describe('a setting that can run a program or lead git elsewhere is put back', () => {
  test.each([
    'core.hookspath',
    'core.fsmonitor',
    'core.sshcommand',
    'core.attributesfile',
    'core.excludesfile',
    'core.worktree',
    'filter.x.clean',
    'diff.x.textconv',
    'merge.x.driver',
    'include.path',
    'includeif.gitdir:/.path',
    'url./b.insteadof',
    'remote.origin.pushurl',
    'remote.origin.url',
    'remote.origin.uploadpack',
    'remote.new.uploadpack',
    'remote.new.vcs',
    'credential.helper',
    'gpg.program',
    'alias.push',
    'lfs.url',
    'submodule.x.update',
    'something.unknown',
  ])('%s', (key) => expect(sort([key, 'x'])).toEqual({ undone: [key], noticed: [] }));

  test('also one that was changed or taken away', () => {
    const after: Setting[] = [['core.bare', 'true']];
    const keys = ['core.bare', 'remote.origin.url', 'remote.origin.fetch'];
    expect(sortConfigChanges(BEFORE, after).undone).toEqual(keys);
  });

  test('a first remote, which the next worker would push to', () => {
    const key = 'remote.backup.url';
    expect(sortConfigChanges([], [[key, '/b']]).undone).toEqual([key]);
  });
});

describe('what people write stays', () => {
  test.each(['user.name', 'remote.upstream.url', 'pull.rebase', 'submodule.x.active'])(
    '%s, and is told',
    (key) => expect(sort([key, 'x'])).toEqual({ undone: [], noticed: [key] }),
  );

  test('the upstream of a branch is not even told', () => {
    const key = 'branch.story/other.remote';
    expect(sort([key, 'origin'])).toEqual({ undone: [], noticed: [] });
    expect(sortConfigChanges(BEFORE, [...BEFORE, [key, 'origin']]).kept).toEqual(
      new Map([[key, ['origin']]]),
    );
  });
});
