import { displayPath } from '@saga-ai/core/project/display-path';
import { deleteItem } from '@saga-ai/core/recovery/delete-item';
import type { DeleteJson } from '@saga-ai/types/screens/json/recovery';
import { askFirst, YES_OPTION } from '../../ask-first.ts';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { describeDiscarded, viewDiscarded } from './describe-discarded.ts';

export const command: Command<DeleteJson> = {
  output: () => import('@saga-ai/types/screens/json/recovery').then((it) => it.DeleteJson),
  args: [{ name: 'id', help: 'a story or an epic', required: true, complete: 'item' }],
  options: {
    rewire: {
      type: 'boolean',
      help: 'make its dependents wait for the items that it waited for',
    },
    ...YES_OPTION,
  },
  about: `Puts a story or an epic into the trash: its plan, its branch, its worktree and what is not committed there.
saga trash restore brings it back, also into its epic. The command refuses while a worker runs, while other items
wait for the item (unless --rewire is given), and for an epic that still has children. To keep a finished item
readable, use saga archive.`,
  examples: ['saga delete old-spike', 'saga delete cart-api --rewire --yes'],
  async run(invocation) {
    const { paths, out, args, flag } = invocation;
    const id = args[0] ?? '';
    await askFirst(
      invocation,
      [`This puts ${id} into the trash: its plan, its branch and its worktree.`],
      `Delete ${id}?`,
    );
    const { discarded, rewired } = await deleteItem(paths(), id, environment.handedOver(), {
      rewire: flag('rewire'),
    });
    if (out.json) return void out.value({ ...viewDiscarded(id, discarded), rewired });
    const show = (path: string) => displayPath(paths().root, path);
    out.lines([
      ...describeDiscarded(id, 'deleted', discarded, show, out),
      ...(rewired.length > 0 ? [`  rewired  ${rewired.join(', ')}`] : []),
    ]);
    return 0;
  },
};
