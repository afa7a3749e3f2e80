import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { discardWork } from '@saga-ai/core/recovery/discard';
import { restoreFromTrash } from '@saga-ai/core/recovery/restore';
import { expect, test } from 'vitest';
import { KILLS, killProgram, type Moment, spinUntil } from '../../rig/programs/kill-program.ts';
import { SAGA } from '../../rig/programs/run-program.ts';
import { type BegunStory, createBegunStory } from '../../rig/project/begun-story.ts';
import { SEED } from '../../rig/random/seed.ts';
import { createRandom } from '../../rig/random/seeded-random.ts';

const ROUNDS = Math.max(6, Math.ceil(KILLS / 25));

/** Changes the worktree by chance: files of any bytes, modes, removals, the index, commits. */
function scramble(it: BegunStory, random: () => number): void {
  const pick = (n: number) => Math.floor(random() * n);
  const paths = ['a.txt', 'b.txt', 'work.txt', 'n/1', 'n/2.txt', 'n/m/3.id', 'ü', 'x y.txt'];
  for (let step = 0; step < 25; step++) {
    const path = paths[pick(paths.length)] ?? 'a.txt';
    const file = join(it.worktree, path);
    const bytes = Buffer.from(Array.from({ length: pick(40) }, () => pick(256)));
    const kind = pick(6);
    if (kind === 0) rmSync(file, { force: true });
    else if (kind === 1 && existsSync(file)) chmodSync(file, 0o755);
    else if (kind === 2) it.gitIn(it.worktree, 'add', '-A');
    else if (kind === 3) it.gitIn(it.worktree, 'commit', '-q', '--allow-empty', '-am', 'More');
    else it.put(path, bytes);
  }
}

const hasRef = (it: BegunStory) => it.git('for-each-ref', 'refs/saga/trash') !== '';
const isAside = (it: BegunStory) => readdirSync(it.worktrees).some((name) => name.startsWith('.x'));
const hasBranch = (it: BegunStory) => it.git('branch', '--list', 'story/x') !== '';

test(`${ROUNDS} times discard and restore are killed, and nothing is lost (SAGA_SEED=${SEED})`, async () => {
  const random = createRandom(SEED);
  for (let round = 0; round < ROUNDS; round++) {
    using it = createBegunStory();
    scramble(it, random);
    const before = it.look();
    const at = `SAGA_SEED=${SEED}, round ${round}`;
    const wait = random() * 1500;
    const moments: [Moment, ...Moment[]] = [
      () => sleep(wait),
      () => spinUntil(() => hasRef(it)),
      () => spinUntil(() => !existsSync(it.worktree)),
      () => spinUntil(() => !hasBranch(it)),
      () => spinUntil(() => !existsSync(it.worktree) && !isAside(it)),
    ];
    const kill = (args: string[], moment: Moment) =>
      killProgram(SAGA, args, moment, it.root, it.env);
    await kill(
      ['recover', '--discard', 'x', '--yes'],
      moments[round % moments.length] ?? moments[0],
    );
    // The worktree as it was, or everything in the trash; a second discard ends what the first began.
    if (existsSync(it.worktree)) expect(it.look(), at).toEqual(before);
    else expect(hasRef(it), at).toBe(true);
    if (existsSync(it.worktree) || hasBranch(it) || isAside(it)) {
      await discardWork({ paths: it.paths, id: 'x', env: it.env, why: 'discard' });
    }
    expect(readdirSync(it.worktrees), at).toEqual([]);
    expect(hasBranch(it), at).toBe(false);

    const later: [Moment, ...Moment[]] = [
      () => spinUntil(() => existsSync(it.worktree)),
      () => sleep(wait),
      () => spinUntil(() => hasBranch(it)),
    ];
    await kill(['trash', 'restore', 'x'], later[round % later.length] ?? later[0]);
    // A restore that had come to its end refuses to be repeated.
    await restoreFromTrash(it.paths, 'x', it.env).catch((error) => {
      expect(String(error), at).toContain('has a worktree already');
    });
    expect(it.look(), at).toEqual(before);
  }
});
