import { SagaError } from '@saga-ai/core/errors';
import { dropTrash, listTrash } from '@saga-ai/core/trash/list-trash';
import type { TrashEmptyJson } from '@saga-ai/types/screens/json/recovery';
import { count } from '@saga-ai/types/words/amounts';
import { askFirst, YES_OPTION } from '../../ask-first.ts';
import type { Command } from '../../command.ts';
import { formatEntries, openTrash, viewEntry } from './trash-item.ts';

const DAY_MS = 24 * 60 * 60_000;

export const command: Command<TrashEmptyJson> = {
  output: () => import('@saga-ai/types/screens/json/recovery').then((it) => it.TrashEmptyJson),
  options: {
    'older-than': { type: 'text', value: 'days', help: 'such as 30d; 0d means everything' },
    ...YES_OPTION,
  },
  about: `Removes entries that are older than --older-than for good: git deletes their files at its next clean-up. Shows
them first, and asks at a terminal; elsewhere --yes is needed.`,
  examples: ['saga trash empty --older-than 30d', 'saga trash empty --older-than 0d --yes'],
  async run(invocation) {
    const { paths, out, text, flag } = invocation;
    const before = Date.now() - readDays(text('older-than')) * DAY_MS;
    const git = openTrash(paths());
    const entries = (await listTrash(git)).filter(({ keptAt }) => keptAt <= before);
    const view = entries.map(viewEntry);
    if (out.json && !flag('yes')) return void out.value({ entries: view, done: false });
    if (!out.json) {
      if (entries.length === 0) return void out.lines(['Nothing in the trash is that old.']);
      out.lines(formatEntries(entries, out));
    }
    const what = count(entries.length, 'entry', 'entries');
    await askFirst(invocation, [`This removes ${what} for good.`], 'Remove them?');
    await dropTrash(git, entries);
    if (out.json) return void out.value({ entries: view, done: true });
    out.lines([`${out.paint('done', '✓')} ${what} removed`]);
    return 0;
  },
};

function readDays(text: string | undefined): number {
  const [, days] = /^(\d{1,5})d?$/.exec(text ?? '') ?? [];
  if (days !== undefined) return Number(days);
  throw new SagaError(
    'usage',
    text === undefined
      ? 'saga trash empty needs --older-than.'
      : `--older-than ${JSON.stringify(text)} is not a number of days.`,
    'Say how old entries must be: saga trash empty --older-than 30d',
  );
}
