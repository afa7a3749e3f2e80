import { ensureProject } from '@saga-ai/core/authoring/init';
import { displayPath } from '@saga-ai/core/project/display-path';
import type { InitJson } from '@saga-ai/types/screens/json/plan';
import type { Command } from '../../command.ts';

export const command: Command<InitJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.InitJson),
  about: `Creates .saga/ at the top of the git repository, with its ignore rules and an empty
configuration. Safe to repeat: what exists stays as it is.`,
  run({ folder, out }) {
    const { paths, created } = ensureProject(folder);
    const files = created.map((path) => displayPath(paths.root, path));
    if (out.json) return void out.value({ project: paths.root, created: files });
    out.lines(
      files.length === 0
        ? [`${out.paint('done', '✓')} ${paths.saga} is there already.`]
        : [
            `${out.paint('done', '✓')} ${paths.saga}`,
            ...files.map((file) => `  ${file}`),
            '',
            'Next: saga create --title "…" --task "…", or saga create --file draft.json',
          ],
    );
    return 0;
  },
};
