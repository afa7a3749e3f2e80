import type { Command } from '../../command.ts';

export const command: Command = {
  about: `A run may notice work that its story does not need, and propose it as a story for later. Such a proposal waits
here as a draft. It is never a part of the plan until you accept it. Drafts stay on this machine, in .git/saga/runs/drafts,
also after the worktree of the story is gone.`,
  verbs: [
    {
      name: 'list',
      summary: 'list the drafts that wait for you',
      load: () => import('./drafts-list.ts'),
    },
    {
      name: 'show',
      summary: 'show one draft in full',
      load: () => import('./drafts-show.ts'),
    },
    {
      name: 'accept',
      summary: 'make a draft a story',
      load: () => import('./drafts-accept.ts'),
    },
    {
      name: 'drop',
      summary: 'take drafts out of the inbox; they can still be accepted',
      load: () => import('./drafts-drop.ts'),
    },
  ],
};
