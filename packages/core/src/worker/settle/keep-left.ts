import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Emit } from '@saga-ai/types/run/event';
import { addAll } from '../../git/commit.ts';
import { type Git, listChanged, STAY_OUT } from '../../git/git.ts';
import { formatLeftRef, LEFT, type LeftKind } from '../../git/refs/left-refs.ts';
import type { Worktree } from '../../git/worktree.ts';

/** Keeps the left work of a run under refs of this run. */
export class LeftKeeper {
  private readonly worktree: Worktree;
  private readonly git: Git;
  private readonly emit: Emit;
  private readonly runId: string;

  constructor(worktree: Worktree, git: Git, emit: Emit, runId: string) {
    this.worktree = worktree;
    this.git = git;
    this.emit = emit;
    this.runId = runId;
  }

  /** Keeps a commit, and with it its history. */
  async keepCommit(what: LeftKind, commit: string, files: readonly string[]): Promise<void> {
    const ref = formatLeftRef(this.worktree.branch, this.runId, what);
    await this.git.run(['update-ref', '-m', `saga: ${LEFT[what]}`, ref, commit]);
    this.emit('work:kept', { ref, what: LEFT[what], files: [...files] });
  }

  /**
   * Keeps everything that is in the worktree, as one commit: its tree is the files, including untracked
   * ones; its parents are HEAD, a commit of the index, and the commits of the unfinished operation.
   * Changes neither files nor index.
   */
  async keepAll(what: LeftKind): Promise<void> {
    const head = await this.git.run(['rev-parse', 'HEAD']);
    const [index, files] = [await this.writeIndexTree(), await this.writeFilesTree()];
    const staged = await this.commitTree(index, [head], `index of ${LEFT[what]}`);
    const parents = [head, staged, ...(await this.findInvolved())];
    const kept = await this.commitTree(files, parents, LEFT[what]);
    await this.keepCommit(what, kept, await listChanged(this.git, head, kept));
  }

  /** The tree of the index. Conflicts have no tree; their sides are in the commits that are kept too. */
  private writeIndexTree(): Promise<string> {
    return this.withIndexCopy(async (index) => {
      const unmerged = await this.git.paths(
        ['diff', '--name-only', STAY_OUT, '--diff-filter=U', '-z'],
        {
          index,
        },
      );
      if (unmerged.length > 0) {
        const input = unmerged.map((path) => `${path}\0`).join('');
        await this.git.run(['update-index', '--force-remove', '-z', '--stdin'], { index, input });
      }
      return this.git.run(['write-tree'], { index });
    });
  }

  private writeFilesTree(): Promise<string> {
    return this.withIndexCopy(async (index) => {
      await addAll(this.git, { index });
      return this.git.run(['write-tree'], { index });
    });
  }

  private async withIndexCopy<T>(act: (index: string) => Promise<T>): Promise<T> {
    const { gitFolder } = this.worktree;
    const copy = join(gitFolder, `saga-index-${process.pid}`);
    const index = join(gitFolder, 'index');
    if (existsSync(index)) copyFileSync(index, copy);
    try {
      return await act(copy);
    } finally {
      rmSync(copy, { force: true });
    }
  }

  private commitTree(tree: string, parents: readonly string[], what: string): Promise<string> {
    const lead = [...new Set(parents)].flatMap((it) => ['-p', it]);
    const message = `saga: ${what}, left by a run on ${this.worktree.branch}`;
    return this.git.run(['commit-tree', '--no-gpg-sign', tree, ...lead, '-m', message]);
  }

  /** The commits that the unfinished operation is about, such as those that a rebase has yet to apply. */
  private async findInvolved(): Promise<string[]> {
    const noted = NOTED.flatMap((file) => {
      const path = join(this.worktree.gitFolder, file);
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
    });
    const found = await Promise.all(noted.map((name) => this.git.resolve(name.trim())));
    return found.filter((it) => it !== undefined);
  }
}

/** Files in git's folder that name commits of an unfinished operation. */
const NOTED = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
  'rebase-merge/orig-head',
  'rebase-merge/autostash',
  'rebase-apply/orig-head',
  'rebase-apply/autostash',
];
