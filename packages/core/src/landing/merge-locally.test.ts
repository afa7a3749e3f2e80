import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { findBase } from '../git/find-base.ts';
import { openPlainGit } from '../git/plain-git.ts';
import type { Landing } from './context.ts';
import { mergeLocally } from './merge-locally.ts';

/** What GitHub prints if a rule of the repository forbids the push. */
const RULE = `
echo "error: GH006: Protected branch update failed for refs/heads/main." >&2
echo >&2
echo "- Changes must be made through a pull request." >&2
exit 1
`;

test('if the remote refuses the base, the message has the reason that the remote gave', async () => {
  using it = createProject();
  it.story('x');
  it.git('switch', '-q', '-c', 'story/x');
  it.git('commit', '-q', '--allow-empty', '-m', 'Work');
  it.git('switch', '-q', 'main');
  mkdirSync(join(it.origin, 'hooks'), { recursive: true });
  writeFileSync(join(it.origin, 'hooks/pre-receive'), `#!/bin/sh\n${RULE}`, { mode: 0o755 });
  const worker = it.worker();
  const git = openPlainGit(it.root, it.env);
  const base = { ...(await findBase(git, worker.base.name)), branch: 'main' };
  const landing: Landing = {
    ...{ worker, kind: 'story', id: 'x', stories: ['x'], git, branch: 'story/x', base },
    tip: await git.run(['rev-parse', 'story/x']),
    wish: {
      ...{ isLocal: true, waitMs: 0, isKept: false },
      confirm: async () => true,
      tell: () => {},
      pause: async () => {},
    },
  };
  await expect(mergeLocally(landing, async () => base)).rejects.toMatchObject({
    code: 'not-landed',
    message:
      'Story x was not merged: origin refuses main (pre-receive hook declined): error: GH006: Protected branch update failed for refs/heads/main. · - Changes must be made through a pull request.',
  });
});
