import { appendOnBranch, readBranchJournal } from '@saga-ai/core/epic/branch-journal';
import { findRemote } from '@saga-ai/core/git/find-base';
import { openGit } from '@saga-ai/core/git/git';
import { loadStory } from '@saga-ai/core/plan/stories';
import type { Paths } from '@saga-ai/core/project/paths';
import { findStoryWorktree } from '@saga-ai/core/project/story-worktrees';
import type { JournalEntry } from '@saga-ai/types/plan/journal';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import { environment } from '../environment.ts';
import { mayHaveEngine } from './may-have-engine.ts';
import { findHolder } from './require-not-held.ts';
import { sayWord } from './say-word.ts';

/** The journal of a story that the fleet worked on, and that has no worktree on this machine. */
export interface RemoteJournal {
  text: string;
  /**
   * Writes an entry and returns where. The machine that has the story writes it; if none has it, the entry is pushed to
   * the branch.
   */
  append(entry: JournalEntry): Promise<string>;
}

/** Returns undefined if the journal on this machine is the one that counts. */
export async function findRemoteJournal(
  paths: Paths,
  storyId: string,
): Promise<RemoteJournal | undefined> {
  if (!mayHaveEngine() || findStoryWorktree(paths, storyId)) return undefined;
  const git = openGit(paths.root, environment.variables());
  const remote = await findRemote(git);
  if (remote === undefined) return undefined;
  const place = { git, base: { remote }, storyId };
  const found = await readBranchJournal(place);
  // The story was handed over and not begun: the machine that takes it writes the entry into the plan that it
  // carries over.
  if (!found && findHolder(paths, storyId) === undefined) return undefined;
  return {
    text: found?.journal ?? loadStory(paths, storyId).journal,
    async append(entry) {
      const kind = entry.kind === 'Resolution' ? 'resolve' : 'feedback';
      const machine = await sayWord(paths, storyId, kind, { entry });
      if (machine !== undefined) return machine;
      await appendOnBranch(place, entry);
      return `${remote}/${formatStoryBranch(storyId)}`;
    },
  };
}
