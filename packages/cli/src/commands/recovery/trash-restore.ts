import { displayPath } from '@saga-ai/core/project/display-path';
import { restoreFromTrash } from '@saga-ai/core/recovery/restore';
import type { TrashRestoreJson } from '@saga-ai/types/screens/json/recovery';
import { count } from '@saga-ai/types/words/amounts';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';

export const command: Command<TrashRestoreJson> = {
  output: () => import('@saga-ai/types/screens/json/recovery').then((it) => it.TrashRestoreJson),
  args: [{ name: 'story', help: 'a story (its newest entry), or a ref', required: true }],
  about: `Brings branch and worktree of a story back as they were: commits, staged and unstaged changes, new files, and
a merge or rebase that was under way. A deleted story or epic gets its plan back, too. The entry stays in the
trash. Ignored files were never kept: the next run sets the worktree up again.`,
  examples: ['saga trash restore cart-api', 'saga trash restore cart-api/1794725143160'],
  async run({ paths, out, args }) {
    const { entry, note, folder, plan } = await restoreFromTrash(
      paths(),
      args[0] ?? '',
      environment.handedOver(),
    );
    const { ref, story } = entry;
    const show = (path: string) => displayPath(paths().root, path);
    if (out.json) {
      const place = folder ?? null;
      out.value({ ref, story, branch: note.branch, folder: place, plan: plan.map(show) });
      return 0;
    }
    out.lines([
      `${out.paint('done', '✓')} ${out.paint('strong', story)} restored from ${ref}`,
      ...(note.branch === null ? [] : [`  branch   ${note.branch}`]),
      ...(folder === undefined ? [] : [`  in       ${show(folder)}`]),
      ...(note.changedCount > 0
        ? [`  with     ${count(note.changedCount, 'uncommitted file')}`]
        : []),
      ...plan.map((path) => `  plan     ${show(path)}`),
      note.isEpic ? `  next     saga show ${story}` : `  next     saga run ${story}`,
    ]);
    return 0;
  },
};
