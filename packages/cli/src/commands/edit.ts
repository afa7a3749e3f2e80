import { editDefinition } from '@saga-ai/core/store/edit';
import type { Command } from '../command.ts';
import { environment } from '../environment.ts';

export const command: Command = {
  args: [
    {
      name: 'id',
      help: 'a story or an epic; story/task for a task',
      required: true,
      complete: 'item',
    },
    { name: 'task', help: 'one task of the story', complete: 'task' },
  ],
  about: `Opens a copy in $VISUAL or $EDITOR and saves it only when it is valid and nobody changed
the file meanwhile.`,
  async run({ paths, out, args }) {
    const [id = '', slashTask] = (args[0] ?? '').split('/');
    const result = await editDefinition(paths(), id, args[1] ?? slashTask, environment.editor());
    if (out.json) return void out.value(result);
    out.lines([
      result.changed ? `${out.paint('done', '✓')} saved ${result.file}` : 'Nothing changed.',
    ]);
    return 0;
  },
};
