import { join } from 'node:path';
import { SagaError } from '../../errors.ts';
import { readCheckout, readLines, statIfThere } from '../../project/git-files.ts';
import { quote } from '../../project/quote.ts';
import type { Git } from '../git.ts';

/** Throws if the file of the branch is empty or damaged, as after a power cut. The error says more than git's own. */
export async function requireWholeRef(git: Git, branch: string): Promise<void> {
  const common = readCheckout(git.folder)?.common;
  if (common === undefined) return;
  const file = join(common, 'refs/heads', branch);
  const text = statIfThere(file)?.isFile() ? readLines(file).join('\n') : undefined;
  if (text === undefined || /^(?:[0-9a-f]{40,64}|ref: \S+)$/.test(text)) return;
  const known = await findLastCommit(git, common, branch);
  const remove = `rm ${quote(file)}`;
  throw new SagaError(
    'git-failed',
    `Branch ${branch} is damaged: ${file} names no commit. A power cut can do that.`,
    known === undefined
      ? `Remove the file, and the story starts again from its base: ${remove}`
      : `Restore it as it was last known: ${remove} && git -C ${quote(git.folder)} update-ref refs/heads/${branch} ${known}`,
  );
}

/** The newest commit of a branch that still exists: by its reflog, else as it was last pushed or fetched. */
async function findLastCommit(
  git: Git,
  common: string,
  branch: string,
): Promise<string | undefined> {
  const log = readLines(join(common, 'logs/refs/heads', branch));
  const noted = log.map((line) => line.split(' ')[1] ?? '');
  for (const commit of noted.reverse().filter((it) => /^[0-9a-f]{40,64}$/.test(it))) {
    if ((await git.resolve(commit)) !== undefined) return commit;
  }
  const remotes = await git.attempt([
    'for-each-ref',
    '--format=%(objectname)',
    `refs/remotes/*/${branch}`,
  ]);
  return remotes.stdout.split('\n')[0] || undefined;
}
