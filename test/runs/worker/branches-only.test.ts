import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGitHub } from '../../rig/github/github.ts';
import { createCheckedStory } from '../../rig/project/checked-story.ts';
import { createProject, type Project } from '../../rig/project/project.ts';

/** Lets git reach the origin as a repository on another host: its ssh runs git's own programs here. */
function publishOn(it: Project, host: string): void {
  const served = join(it.folder, 'served/acme');
  const ssh = join(it.folder, 'ssh');
  mkdirSync(served, { recursive: true });
  symlinkSync(it.origin, join(served, 'widgets.git'));
  // The last word is the command, such as: git-receive-pack 'acme/widgets.git'
  writeFileSync(ssh, `#!/bin/sh\nfor it; do :; done\ncd ${join(served, '..')} && eval "$it"\n`);
  chmodSync(ssh, 0o755);
  it.git('config', '--global', 'core.sshCommand', ssh);
  it.git('remote', 'set-url', 'origin', `git@${host}:acme/widgets.git`);
}

test.each([
  ['gitlab.com', 'https://gitlab.com/acme/widgets/-/compare/main...story/cart'],
  ['codeberg.org', 'https://codeberg.org/acme/widgets/compare/main...story/cart'],
  ['bitbucket.org', 'https://bitbucket.org/acme/widgets/branches/compare/story%2Fcart%0Dmain'],
])(
  'on %s a story is pushed, its page to compare is named, and it is merged here',
  async (host, page) => {
    using it = createProject();
    publishOn(it, host);
    await using github = await startGitHub(it);
    const { saga, gate, worktree } = await createCheckedStory(
      it,
      'cart',
      undefined,
      github.environment,
    );
    it.write('../project.stories/cart/more.txt', 'more\n');
    it.gitIn(worktree, 'add', 'more.txt');
    it.gitIn(worktree, 'commit', '-q', '-m', 'More');
    const checked = await saga('gate', 'cart');
    expect(checked.stdout).toContain(`${host} is not GitHub, and SAGA has no client for it`);
    expect(checked.stdout.replaceAll(/\s+/g, '')).toContain(page);
    await gate();
    expect(it.gitIn(it.origin, 'rev-parse', 'story/cart')).toBe(it.git('rev-parse', 'story/cart'));
    const { code, stdout } = await saga('land', 'cart', '--yes');
    expect(stdout).toContain('story/cart → main, on this machine');
    expect(code).toBe(0);
    expect(it.gitIn(it.origin, 'show', 'main:more.txt')).toBe('more\n');
    expect(github.requests).toEqual([]);
  },
);
