import { unarchive } from '@saga-ai/core/authoring/archive';
import type { UnarchiveJson } from '@saga-ai/types/screens/json/plan';
import type { Command } from '../../command.ts';

export const command: Command<UnarchiveJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.UnarchiveJson),
  args: [{ name: 'id', help: 'a story or an epic', required: true }],
  about:
    'An epic comes back with everything in it. saga list --archived lists what is in the archive.',
  async run({ paths, out, args }) {
    const moved = await unarchive(paths(), args[0] ?? '');
    if (out.json) return void out.value({ unarchived: moved });
    out.lines([`${out.paint('done', '✓')} unarchived ${moved.join(', ')}`]);
    return 0;
  },
};
