import { editDefinition } from '@saga-ai/core/authoring/edit';
import { listVerify } from '@saga-ai/core/trust/list-parts';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import type { EditJson } from '@saga-ai/types/screens/json/plan';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { ITEM_ARGUMENTS, readItemArguments } from '../../item-arguments.ts';

export const command: Command<EditJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.EditJson),
  args: ITEM_ARGUMENTS,
  about: `Opens a copy of the file in $VISUAL or $EDITOR. The copy is saved only if it is valid and nobody
else changed the file in the meantime. If it is not valid, the editor opens again and shows the reason above
the text. To give up, close the editor without a change.`,
  async run({ paths, out, args }) {
    const { id, taskId } = readItemArguments(args);
    const result = await editDefinition(paths(), id, taskId, environment.requireEditor);
    // Whoever saves the story has seen its verify command.
    const sawStory = result.changed && taskId === undefined;
    if (sawStory) await agreeToOwn(paths(), listVerify(paths(), id), environment.variables());
    if (out.json) return void out.value(result);
    out.lines([
      result.changed ? `${out.paint('done', '✓')} saved ${result.file}` : 'Nothing changed.',
    ]);
    out.problems(result.problems);
    return 0;
  },
};
