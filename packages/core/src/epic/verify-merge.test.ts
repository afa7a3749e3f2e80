import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { verifyMerge } from './verify-merge.ts';

test.each([true, false])(
  'a merge is judged by what setup makes of it, not of an earlier merge; in a clean checkout: %s',
  async (clean) => {
    using it = createProject();
    it.write('.gitignore', 'dist\n');
    it.write('work.txt', 'nothing\n');
    commitAll(it.gitIn, it.root, 'The project');
    it.git('push', '-q');
    it.story('x');
    // Fails if there is something of an earlier merge.
    const setup = 'mkdir dist && cat *.txt > dist/built';
    const worker = it.worker({ gate: { clean }, worktree: { setup } });
    const { folder, git, base } = await ensureWorktree(worker);
    const place = { worker, git, base, folderName: 'shop.epic' };
    const judge = async (text: string) => {
      writeFileSync(join(folder, 'work.txt'), text);
      commitAll(it.gitIn, folder, `Write ${text}`);
      const commit = it.gitIn(folder, 'rev-parse', 'HEAD').trim();
      const command = 'grep -q good dist/built';
      return (await verifyMerge(place, { command, commit })).check;
    };
    expect(await judge('good\n')).toMatchObject({ outcome: 'passed' });
    expect(await judge('baad\n')).toMatchObject({ outcome: 'failed' });
  },
);
