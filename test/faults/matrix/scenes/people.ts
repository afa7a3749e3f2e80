import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from '../../../rig/faults/moment.ts';
import { strikeWorker } from '../../../rig/faults/struck-worker.ts';
import type { Fault, Scene } from '../fault.ts';

const GROUP = 'People in the middle of a run';
/** Task one is committed and completed; the client is about to write a file for task two. */
const IN_RUN = after('event', 'run:tool', { has: '"name":"Write"', nth: 2 });

const during = (
  id: string,
  fault: string,
  act: (scene: Scene) => unknown,
  more: Partial<Fault> = {},
): Fault => ({
  id,
  fault,
  group: GROUP,
  ends: 'done',
  strike: (scene) => strikeWorker(scene.it, IN_RUN, () => act(scene)),
  ...more,
});

/** On the branch, as it was pushed. */
function requirePushed({ it }: Scene, path: string, text: string): void {
  const found = it.git('-C', it.origin, 'show', `story/cart:${path}`);
  if (found !== text) throw new Error(`${path} is ${found}`);
}

const put = ({ worktree }: Scene, path: string, text: string) =>
  writeFileSync(join(worktree, path), text);

const gitIn = ({ it, worktree }: Scene, ...args: string[]) => it.git('-C', worktree, ...args);

export const peopleFaults: readonly Fault[] = [
  during('edit', 'somebody edits a file in the worktree', (it) => put(it, 'README.md', 'Mine\n'), {
    also: 'The change is in the branch.',
    check: (scene) => requirePushed(scene, 'README.md', 'Mine\n'),
  }),
  during(
    'commit',
    'somebody commits in the worktree',
    (scene) => {
      put(scene, 'mine.txt', 'mine\n');
      gitIn(scene, 'add', 'mine.txt');
      gitIn(scene, 'commit', '-q', '-m', 'Mine');
    },
    {
      also: 'The commit is in the branch.',
      check: (scene) => requirePushed(scene, 'mine.txt', 'mine\n'),
    },
  ),
  during(
    'rebase',
    "somebody rebases the story's branch onto a newer main",
    (scene) => {
      const { it } = scene;
      it.git('commit', '-q', '--allow-empty', '-m', 'Newer');
      it.git('push', '-q', 'origin', 'main');
      gitIn(scene, 'rebase', '-q', '--autostash', 'main');
    },
    {
      ends: 'needs you',
      also: 'Nothing is overwritten; the gate says how to compare and replace what is on the remote.',
      next: 'done',
      mended: 'after `git push --force-with-lease`',
      rewrites: true,
      mend: (scene) => gitIn(scene, 'push', '-q', '--force-with-lease', 'origin', 'story/cart'),
      check(_, { stdout }) {
        if (!stdout.includes('push --force-with-lease')) throw new Error(stdout);
      },
    },
  ),
  during(
    'switch',
    'somebody switches the worktree to another branch',
    (scene) => gitIn(scene, 'switch', '-q', '-c', 'elsewhere'),
    { also: 'The worktree goes back to its branch, with the commits.', keeps: [/elsewhere/] },
  ),
  during('gc', 'somebody runs `git gc --prune=now`', ({ it }) => it.git('gc', '-q', '--prune=now')),
  during(
    'worktree deleted',
    'somebody deletes the worktree',
    ({ worktree }) => {
      renameSync(worktree, `${worktree}.gone`);
      rmSync(`${worktree}.gone`, { recursive: true });
    },
    {
      ends: 'error worktree-gone',
      also: 'Commits are in the branch.',
      loses: 'the status of one, which was told to be completed',
      next: 'done',
      mended: 'and does again what was not committed',
    },
  ),
  during(
    'task list deleted',
    "somebody deletes the client's task list",
    ({ it }) => {
      const lists = join(it.home, '.claude/tasks');
      for (const name of readdirSync(lists)) rmSync(join(lists, name), { recursive: true });
    },
    { also: 'The next run gets a new list.' },
  ),
  during('notes deleted', 'somebody deletes `.saga/runs`', ({ it }) =>
    rmSync(it.paths.runs, { recursive: true }),
  ),
  during(
    'plan edited',
    'somebody edits the plan in the worktree',
    (scene) => put(scene, '.saga/stories/cart/two.json', '{ "id": "two"'),
    { also: 'It is put back; what it was is kept aside.', keeps: [/put-back/] },
  ),
  during(
    'main edited',
    'somebody works on in the main checkout',
    ({ it }) => {
      it.write('README.md', 'In the middle of something\n');
      it.write('.saga/stories/cart/two.json', `${it.read('.saga/stories/cart/two.json')}\n`);
    },
    { also: 'Their files stay as they are.' },
  ),
  during('stop', '`saga stop`', async ({ it }) => void it.saga(['stop', 'cart']), {
    ends: 'limit',
    next: 'done',
  }),
  during(
    'git lock',
    'a killed git leaves its locks in the worktree and in the repository',
    ({ it }) => {
      it.write('.git/index.lock', '');
      it.write('.git/worktrees/cart/index.lock', '');
      it.write('.git/refs/heads/story/cart.lock', '');
    },
    // The one of the main checkout may belong to a git of a person.
    { keeps: [/^project\/\.git\/index\.lock$/] },
  ),
];
