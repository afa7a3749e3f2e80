import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from '../../../rig/faults/point.ts';
import { strikeWorker } from '../../../rig/faults/struck-worker.ts';
import type { Fault, Site } from '../fault.ts';
import { requireSaid } from './require-said.ts';
import { waiting } from './waiting.ts';

const GROUP = 'People in the middle of a run';
/** Task one is committed and completed; the client is about to write a file for task two. */
const IN_RUN = after('event', 'run:tool', { has: '"name":"Write"', nth: 2 });

/** The client is about to wait, see `waiting`. */
const WAITS = after('event', 'run:tool', { has: 'is-at-work' });

const during = (
  id: string,
  fault: string,
  act: (site: Site) => unknown,
  more: Partial<Fault> = {},
): Fault => ({
  id,
  fault,
  group: GROUP,
  ends: 'done',
  strike: (site) => strikeWorker(site.it, IN_RUN, () => act(site)),
  ...more,
});

/** On the branch, as it was pushed. */
function requirePushed({ it }: Site, path: string, text: string): void {
  const found = it.git('-C', it.origin, 'show', `story/cart:${path}`);
  if (found !== text) throw new Error(`${path} is ${found}`);
}

const put = ({ worktree }: Site, path: string, text: string) =>
  writeFileSync(join(worktree, path), text);

/** Renamed first: the client may be writing into it. */
function deleteWorktree({ worktree }: Site): void {
  renameSync(worktree, `${worktree}.gone`);
  rmSync(`${worktree}.gone`, { recursive: true });
}

const gitIn = ({ it, worktree }: Site, ...args: string[]) => it.git('-C', worktree, ...args);

export const peopleFaults: readonly Fault[] = [
  during('edit', 'somebody edits a file in the worktree', (it) => put(it, 'README.md', 'Mine\n'), {
    also: 'The change is in the branch.',
    check: (site) => requirePushed(site, 'README.md', 'Mine\n'),
  }),
  during(
    'commit',
    'somebody commits in the worktree',
    (site) => {
      put(site, 'mine.txt', 'mine\n');
      gitIn(site, 'add', 'mine.txt');
      gitIn(site, 'commit', '-q', '-m', 'Mine');
    },
    {
      also: 'The commit is in the branch.',
      check: (site) => requirePushed(site, 'mine.txt', 'mine\n'),
    },
  ),
  during(
    'rebase',
    "somebody rebases the story's branch onto a newer main",
    (site) => {
      const { it } = site;
      it.git('commit', '-q', '--allow-empty', '-m', 'Newer');
      it.git('push', '-q', 'origin', 'main');
      gitIn(site, 'rebase', '-q', '--autostash', 'main');
    },
    {
      ends: 'needs you',
      also: 'Nothing is overwritten; the gate says how to compare and replace what is on the remote.',
      next: 'done',
      mended: 'after `git push --force-with-lease`',
      rewrites: true,
      mend: (site) => gitIn(site, 'push', '-q', '--force-with-lease', 'origin', 'story/cart'),
      check: (_, struck) => requireSaid(struck, 'push --force-with-lease'),
    },
  ),
  during(
    'switch',
    'somebody switches the worktree to another branch',
    (site) => gitIn(site, 'switch', '-q', '-c', 'elsewhere'),
    { also: 'The worktree goes back to its branch, with the commits.', keeps: [/elsewhere/] },
  ),
  during('gc', 'somebody runs `git gc --prune=now`', ({ it }) => it.git('gc', '-q', '--prune=now')),
  during('worktree deleted', 'somebody deletes the worktree', deleteWorktree, {
    ends: 'error worktree-gone',
    also: 'Commits are in the branch.',
    loses: 'the status of one, which was told to be completed',
    next: 'done',
    mended: 'and does again what was not committed',
    // The client writes its file a moment before or after; then the folder is there again.
    keeps: [/put-back/],
  }),
  during(
    'worktree remade',
    'somebody deletes the worktree, and the client writes a file into the same path',
    (site) => {
      deleteWorktree(site);
      mkdirSync(site.worktree, { recursive: true });
      put(site, 'late.txt', 'late\n');
    },
    {
      ends: 'error worktree-gone',
      also: 'Commits are in the branch. What was written later is kept aside, and no file of the branch is deleted.',
      loses: 'the status of one, which was told to be completed',
      next: 'done',
      mended: 'and does again what was not committed',
      keeps: [/put-back/],
      check(site) {
        requirePushed(site, 'README.md', site.it.read('README.md'));
        const kept = readdirSync(join(site.it.paths.runs, 'put-back'), { recursive: true });
        if (!kept.some((path) => String(path).endsWith('late.txt'))) throw new Error('Not kept.');
      },
    },
  ),
  during(
    'task list deleted',
    "somebody deletes the client's task list",
    ({ it }) => {
      const lists = join(it.home, '.claude/tasks');
      for (const name of readdirSync(lists)) rmSync(join(lists, name), { recursive: true });
    },
    {
      also: 'The next run gets a new list.',
      check({ it }) {
        const lists = it.events().filter(({ type }) => type === 'hydrate:done').length;
        if (lists !== 2) throw new Error(`There were ${lists} lists.`);
      },
    },
  ),
  during('notes deleted', 'somebody deletes `.git/saga/runs`', ({ it }) =>
    rmSync(it.paths.runs, { recursive: true }),
  ),
  during(
    'plan edited',
    'somebody edits the plan in the worktree',
    (site) => put(site, '.saga/stories/cart/two.json', '{ "id": "two"'),
    {
      also: 'It is put back; what they wrote is kept aside.',
      keeps: [/put-back/],
      check({ it }) {
        const kept = readdirSync(join(it.paths.runs, 'put-back'), { recursive: true });
        if (!kept.some((path) => String(path).endsWith('two.json'))) throw new Error('Not kept.');
      },
    },
  ),
  during(
    'main edited',
    'somebody works on in the main checkout',
    ({ it }) => {
      it.write('README.md', 'In the middle of something\n');
      it.write('.saga/stories/cart/two.json', `${it.read('.saga/stories/cart/two.json')}\n`);
    },
    {
      also: 'Their files stay as they are.',
      check({ it }) {
        const text = it.read('README.md');
        if (text !== 'In the middle of something\n') throw new Error(`README.md is ${text}`);
      },
    },
  ),
  {
    ...during('stop', '`saga stop`', () => {}),
    ends: 'limit',
    next: 'done',
    // The story cannot be done before the stop comes.
    workshop: () => waiting('two'),
    strike: ({ it }) => strikeWorker(it, WAITS, () => void it.saga(['stop', 'cart'])),
    keeps: [/is-at-work/],
  },
  during(
    'git lock',
    'a killed git leaves its locks in the worktree and in the repository',
    ({ it }) => {
      it.write('.git/index.lock', '');
      it.write('.git/worktrees/cart/index.lock', '');
      it.write('.git/refs/heads/story/cart.lock', '');
    },
    {
      also: 'The lock of the main checkout stays: it may belong to a git of yours.',
      keeps: [/^project\/\.git\/index\.lock$/],
    },
  ),
];
