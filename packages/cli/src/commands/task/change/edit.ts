import { ClaudeTask } from '@saga-ai/core/agents/claude/tasklist/claude-task';
import { editDefinition } from '@saga-ai/core/authoring/edit';
import { createJsonLanguage, editText } from '@saga-ai/core/authoring/edit-text';
import { formatJson } from '@saga-ai/core/files/json-text';
import type { EditedTaskJson } from '@saga-ai/types/screens/json/task';
import type { Command, Invocation } from '../../../command.ts';
import { environment } from '../../../environment.ts';
import { openTasks, TASK_ARGUMENT, TASK_OPTIONS } from '../open-tasks.ts';

export const command: Command<EditedTaskJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.EditedTaskJson),
  args: [TASK_ARGUMENT],
  options: TASK_OPTIONS,
  about: `Opens a copy of the task in $VISUAL or $EDITOR. The copy is saved only if it is valid and nobody
else changed the task in the meantime.`,
  async run(invocation) {
    const { out, args, text, paths } = invocation;
    const [id = ''] = args;
    const storyId = text('story');
    const changed =
      storyId === undefined
        ? await editNative(invocation, id)
        : (await editDefinition(paths(), storyId, id, environment.editor())).changed;
    if (out.json) return void out.value({ id, changed });
    out.lines([changed ? `${out.paint('done', '✓')} saved ${id}` : 'Nothing changed.']);
    return 0;
  },
};

async function editNative(invocation: Invocation, id: string): Promise<boolean> {
  const source = await openTasks(invocation);
  const before = await source.change(id, () => undefined);
  const draft = { name: `${id}.json`, text: formatJson(before), id };
  const language = createJsonLanguage(draft, ClaudeTask);
  const edited = await editText(draft, language, environment.editor());
  if (!edited) return false;
  await source.change(id, (current) => {
    edited.requireUnchanged(formatJson(current));
    return edited.value;
  });
  edited.discard();
  return true;
}
