import { displayPath } from '@saga-ai/core/project/display-path';
import { resetStory } from '@saga-ai/core/recovery/reset';
import type { ResetJson } from '@saga-ai/types/screens/json/recovery';
import { askFirst, YES_OPTION } from '../../ask-first.ts';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { describeDiscarded, viewDiscarded } from './describe-discarded.ts';

export const command: Command<ResetJson> = {
  output: () => import('@saga-ai/types/screens/json/recovery').then((it) => it.ResetJson),
  args: [{ name: 'story', help: 'the story', required: true, complete: 'story' }],
  options: YES_OPTION,
  about: `Begins a story anew. Its branch and worktree go into the trash with everything that was not committed, and
all its tasks are pending again, without attempts. The plan itself stays as it is in the main checkout. A branch
on the remote stays, and the next run would go on from it: the command that removes it is shown. Refused while a
worker runs, and for a story that is done. Asks at a terminal; elsewhere --yes is needed.`,
  examples: ['saga reset cart-api', 'saga reset cart-api --yes'],
  async run(invocation) {
    const { paths, out, args } = invocation;
    const id = args[0] ?? '';
    await askFirst(
      invocation,
      [`This puts the work of ${id} into the trash and sets all its tasks back to pending.`],
      `Reset ${id}?`,
    );
    const { discarded, tasks } = await resetStory(paths(), id, environment.handedOver());
    if (out.json) return void out.value({ ...viewDiscarded(id, discarded), tasks });
    const [sign, done] = discarded.remoteBranch
      ? [out.paint('waiting', '!'), 'is reset here, but the remote still has its branch']
      : [out.paint('done', '✓'), 'is as it was before its first run'];
    const show = (path: string) => displayPath(paths().root, path);
    out.lines([
      ...describeDiscarded(id, done, discarded, show, out, sign),
      ...(tasks.length > 0 ? [`  pending  ${tasks.join(', ')}`] : []),
      `  next     saga run ${id}`,
    ]);
    return 0;
  },
};
