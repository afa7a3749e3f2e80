import { editDefinition } from '@saga-ai/core/authoring/edit';
import { editPlan } from '@saga-ai/core/authoring/edit-plan';
import { SagaError } from '@saga-ai/core/errors';
import { openPlainGit } from '@saga-ai/core/git/plain-git';
import { keepFiles } from '@saga-ai/core/trash/keep-files';
import { listVerify } from '@saga-ai/core/trust/list-parts';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import type { EditJson } from '@saga-ai/types/screens/json/plan';
import { count } from '@saga-ai/types/words/amounts';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { ITEM_ARGUMENTS, readItemArguments } from '../../item-arguments.ts';

export const command: Command<EditJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.EditJson),
  args: ITEM_ARGUMENTS,
  about: `Opens a copy of the file in $VISUAL or $EDITOR. The copy is saved only if it is valid and nobody
else changed the file in the meantime. If it is not valid, the editor opens again and shows the reason above
the text. To give up, close the editor without a change.

With --markdown, a story opens with its tasks, and an epic with its stories, as one document. All files change
together or none does. A task that you remove is kept in git, below refs/saga/trash/edit.`,
  options: {
    markdown: {
      type: 'boolean',
      help: 'edit it with all that is below it, as one document',
    },
  },
  examples: [
    'saga edit cart-api',
    'saga edit cart-api endpoint-tests',
    'saga edit checkout --markdown',
  ],
  async run(invocation) {
    const { paths, out, args, flag } = invocation;
    const { id, taskId } = readItemArguments(args);
    if (flag('markdown')) return editMarkdown(invocation, id, taskId);
    const result = await editDefinition(paths(), id, taskId, environment.requireEditor);
    // The person who saves the story has seen its verify command.
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

async function editMarkdown(
  { paths, out }: Invocation<EditJson>,
  id: string,
  taskId: string | undefined,
): Promise<number> {
  if (taskId !== undefined) {
    throw new SagaError(
      'usage',
      'A task has no document of its own.',
      `Edit its story: saga edit ${id} --markdown`,
    );
  }
  const git = openPlainGit(paths().root, environment.handedOver());
  const edited = await editPlan(paths(), id, environment.requireEditor, async (removed) => {
    if (removed.length > 0)
      await keepFiles(git, { kind: 'edit', name: id }, removed, `Tasks removed from ${id}`);
  });
  const { changed, files, problems, created } = edited;
  const own = edited.stories.flatMap((story) => listVerify(paths(), story));
  // The person who saves the document has seen the verify commands in it.
  await agreeToOwn(paths(), own, environment.variables());
  if (out.json) {
    out.value({ file: `${id}.md`, changed, problems, files });
    return 0;
  }
  out.lines(
    changed
      ? [
          `${out.paint('done', '✓')} saved ${id}: ${count(files.length + created.length, 'change')}`,
          ...files.map((line) => `  ${line}`),
          ...created.map((story) => `  story ${story}: new`),
        ]
      : ['Nothing changed.'],
  );
  out.problems(problems);
  return 0;
}
