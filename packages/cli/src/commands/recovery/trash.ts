import type { Command } from '../../command.ts';

export const command: Command = {
  about: `The trash keeps what SAGA removed: stories that were discarded, reset, deleted or cleaned away, with their
commits, uncommitted and new files; and copies that SAGA made before it changed something. It consists of refs
below refs/saga/trash in your repository. It is never pushed, and nothing leaves it unless you empty it.`,
  verbs: [
    {
      name: 'list',
      summary: 'list what is in the trash, the newest first',
      load: () => import('./trash-list.ts'),
    },
    {
      name: 'show',
      summary: 'show the commits and files of one entry',
      load: () => import('./trash-show.ts'),
    },
    {
      name: 'restore',
      summary: 'bring a story back as it was',
      load: () => import('./trash-restore.ts'),
    },
    {
      name: 'empty',
      summary: 'remove old entries for good',
      load: () => import('./trash-empty.ts'),
    },
  ],
};
