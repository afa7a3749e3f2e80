import { renameItem } from '@saga-ai/core/recovery/rename-item';
import type { RenameJson } from '@saga-ai/types/screens/json/recovery';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';

export const command: Command<RenameJson> = {
  output: () => import('@saga-ai/types/screens/json/recovery').then((it) => it.RenameJson),
  args: [
    { name: 'id', help: 'a story or an epic', required: true, complete: 'item' },
    { name: 'new', help: 'its new id', required: true },
  ],
  about: `Gives a story or an epic another id, in its own file and wherever the plan names it. Refused once work has
begun, because branch, worktree and pull request have the old id.`,
  examples: ['saga rename cart-api cart-service'],
  async run({ paths, out, args }) {
    const [from = '', to = ''] = args;
    const files = await renameItem(paths(), from, to, environment.handedOver());
    if (out.json) return void out.value({ from, to, files });
    out.lines([
      `${out.paint('done', '✓')} ${from} is ${out.paint('strong', to)} now`,
      ...files.map((file) => `  ${file}`),
    ]);
    return 0;
  },
};
