import { archive } from '@saga-ai/core/authoring/archive';
import type { ArchiveJson } from '@saga-ai/types/screens/json/plan';
import type { Command } from '../../command.ts';

export const command: Command<ArchiveJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.ArchiveJson),
  args: [{ name: 'id', help: 'a story or an epic', required: true, complete: 'item' }],
  about: `Moves a story, or an epic with everything in it, to .saga/archive/. The id stays taken;
saga unarchive moves it back. A story that has a worktree, or that belongs to an epic outside the archive,
cannot be archived.`,
  async run({ paths, out, args }) {
    const moved = await archive(paths(), args[0] ?? '');
    if (out.json) return void out.value({ archived: moved });
    out.lines([`${out.paint('done', '✓')} archived ${moved.join(', ')}`]);
    return 0;
  },
};
