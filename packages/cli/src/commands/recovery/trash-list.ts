import { listTrash } from '@saga-ai/core/trash/list-trash';
import type { TrashListJson } from '@saga-ai/types/screens/json/recovery';
import type { Command } from '../../command.ts';
import { formatEntries, openTrash, viewEntry } from './trash-item.ts';

export const command: Command<TrashListJson> = {
  output: () => import('@saga-ai/types/screens/json/recovery').then((it) => it.TrashListJson),
  args: [{ name: 'story', help: 'only entries of this story', complete: 'story' }],
  async run({ paths, out, args }) {
    const all = await listTrash(openTrash(paths()));
    const entries = all.filter((it) => args[0] === undefined || it.story === args[0]);
    if (out.json) return void out.value({ entries: entries.map(viewEntry) });
    if (entries.length === 0) return void out.lines(['Nothing is in the trash.']);
    out.lines([
      ...formatEntries(entries, out),
      '',
      'saga trash show <story> · saga trash restore <story>',
    ]);
    return 0;
  },
};
