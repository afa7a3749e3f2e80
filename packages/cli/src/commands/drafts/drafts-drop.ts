import { dropDrafts } from '@saga-ai/core/drafts/drop-drafts';
import type { DraftsDropJson } from '@saga-ai/types/screens/json/drafts';
import type { Command } from '../../command.ts';

export const command: Command<DraftsDropJson> = {
  output: () => import('@saga-ai/types/screens/json/drafts').then((it) => it.DraftsDropJson),
  args: [{ name: 'number', help: 'the numbers of drafts', required: true, rest: true }],
  about: `Takes drafts out of the inbox. saga drafts list --all still shows them, and saga drafts accept still takes
them.`,
  examples: ['saga drafts drop 3', 'saga drafts drop 4 5 6'],
  async run({ paths, out, args }) {
    const dropped = await dropDrafts(paths(), args);
    if (out.json) return void out.value({ dropped });
    out.lines([`${out.paint('done', '✓')} dropped ${dropped.join(', ')}`]);
    return 0;
  },
};
