import { addToJournal, JOURNAL_FILE, type JournalEntry } from '@saga-ai/types/plan/journal';
import { storyPath } from '@saga-ai/types/plan/plan-paths';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import { SagaError } from '../errors.ts';
import { type Base, fetchBranch } from '../git/find-base.ts';
import type { Git } from '../git/git.ts';
import { pushBranch, trackPushed } from '../git/remote/push.ts';
import { commitFile } from './epic-branch.ts';

/** The branch of a story on the remote, which no checkout here needs to have. */
export interface RemoteStoryBranch {
  git: Git;
  base: Pick<Base, 'remote' | 'pinned'>;
  storyId: string;
}

/** An entry is small, and the scheduler waits for it. */
const PUSH_MS = 60_000;
/** How often adding an entry begins again because somebody pushed meanwhile. */
const TRIES = 5;

/** Returns the journal of a story from its branch on the remote. Returns undefined if the remote has no such branch. */
export async function readBranchJournal({
  git,
  base: { remote, pinned },
  storyId,
}: RemoteStoryBranch): Promise<{ tip: string; journal: string } | undefined> {
  if (remote === undefined) return undefined;
  const branch = formatStoryBranch(storyId);
  await fetchBranch(git, remote, branch, { emit: () => {}, pinned });
  const tip = await git.resolve(`refs/remotes/${remote}/${branch}`);
  if (tip === undefined) return undefined;
  const path = `${storyPath(storyId)}/${JOURNAL_FILE}`;
  const found = await git.attempt(['cat-file', 'blob', `${tip}:${path}`]);
  return { tip, journal: found.code === 0 ? found.stdout : '' };
}

/**
 * Adds an entry to the journal of a story on its branch on the remote, by a commit of its own. Call this only for a
 * story that no machine works on now, because a worker writes its own journal.
 */
export async function appendOnBranch(place: RemoteStoryBranch, entry: JournalEntry): Promise<void> {
  const { git, base, storyId } = place;
  const { remote = '', pinned } = base;
  const branch = formatStoryBranch(storyId);
  let reason = `${branch} does not exist there`;
  for (let left = TRIES; left > 0; left--) {
    const found = await readBranchJournal(place);
    if (!found) break;
    const commit = await commitFile(git, {
      from: found.tip,
      path: `${storyPath(storyId)}/${JOURNAL_FILE}`,
      text: addToJournal(found.journal, entry),
      message: `saga: ${entry.kind} for story ${storyId}`,
    });
    const [url = remote] = pinned?.pushUrls ?? [];
    const onlyIfAt = { commit: found.tip };
    const pushed = await pushBranch(git, {
      remote,
      branch,
      commit,
      urls: [url],
      onlyIfAt,
      timeoutMs: PUSH_MS,
    });
    if (pushed.kind === 'done') return trackPushed(git, { remote, branch }, commit, found.tip);
    reason = pushed.words;
    if (pushed.kind !== 'moved') break;
  }
  throw new SagaError(
    'git-failed',
    `The journal of ${storyId} could not be written on ${remote}: ${reason}.`,
    'Nothing was written. Try again when the remote can be reached.',
  );
}
