import { findTrashed, listTrash } from '@saga-ai/core/trash/list-trash';
import type { TrashShowJson } from '@saga-ai/types/screens/json/recovery';
import type { Command } from '../../command.ts';
import { cleanLine } from '../../output/text.ts';
import { describeEntry, openTrash, viewEntry } from './trash-item.ts';

const MOST = 20;

export const command: Command<TrashShowJson> = {
  output: () => import('@saga-ai/types/screens/json/recovery').then((it) => it.TrashShowJson),
  args: [{ name: 'story', help: 'a story (its newest entry), or a ref', required: true }],
  about: `Shows the last commits of the entry, and the files that no commit had. git show, git diff and git log work
with its ref, too.`,
  examples: ['saga trash show cart-api', 'saga trash show cart-api/1794725143160'],
  async run({ paths, out, args }) {
    const git = openTrash(paths());
    const entry = findTrashed(await listTrash(git), args[0] ?? '');
    const { ref, note } = entry;
    // An entry of a story is a commit of SAGA's own on top of the story's last one.
    const from = note ? `${ref}^1` : ref;
    const log = await git.attempt(['log', '--format=%h %s', `-${MOST}`, from, '--']);
    const diff = note
      ? await git.attempt(['diff', '--name-status', '--no-renames', `${ref}^1`, ref, '--'])
      : undefined;
    const lines = (text = '') => text.split('\n').filter(Boolean);
    const files = lines(diff?.stdout).map((line) => line.replace('\t', ' '));
    if (out.json) {
      return void out.value({ entry: viewEntry(entry), log: lines(log.stdout), files });
    }
    out.lines([
      `${out.paint('strong', entry.story)}  ${describeEntry(entry)}`,
      `  ref      ${ref}`,
      `  kept     ${new Date(entry.keptAt).toISOString()}`,
      ...(note?.folder ? [`  was in   ${note.folder}`] : []),
      ...(files.length > 0 ? ['', 'Not committed:'] : []),
      ...files.map((it) => `  ${cleanLine(it)}`),
      ...(log.stdout.trim() === '' ? [] : ['', 'Commits:']),
      ...lines(log.stdout).map((it) => `  ${cleanLine(it)}`),
      '',
      note ? `Bring it back: saga trash restore ${entry.story}` : `See it: git show ${ref}`,
    ]);
    return 0;
  },
};
