import { SagaError } from '@saga-ai/core/errors';
import { toError } from '@saga-ai/core/files/json-file';
import { appendJournal } from '@saga-ai/core/plan/journal';
import { loadStory } from '@saga-ai/core/plan/stories';
import { displayPath } from '@saga-ai/core/project/display-path';
import {
  findOpenBlockers,
  formatTitle,
  idOf,
  JOURNAL_FILE,
  JOURNAL_KINDS,
  type JournalEntry,
  type JournalKind,
  parseJournal,
} from '@saga-ai/types/plan/journal';
import type { JournalJson } from '@saga-ai/types/screens/json/plan';
import type { Command, Invocation } from '../../command.ts';
import { cleanLine, wrap } from '../../output/text.ts';
import { readStandardInput } from '../../standard-input.ts';

export const command: Command<JournalJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.JournalJson),
  args: [
    { name: 'story', help: 'a story', required: true, complete: 'story' },
    { name: 'add', help: 'add an entry instead of reading', complete: ['add'] },
  ],
  options: {
    kind: { type: 'text', choices: JOURNAL_KINDS, help: 'the kind of entry (Note)' },
    title: { type: 'text', help: 'its title; give a Resolution the title of its Blocker' },
    body: { type: 'text', help: 'its text; - for standard input' },
  },
  examples: [
    'saga journal cart-api',
    'saga journal cart-api add --kind Decision --title "Use SQLite"',
  ],
  async run(invocation) {
    const { args } = invocation;
    if (args[1] === undefined) return read(invocation);
    if (args[1] === 'add') return add(invocation);
    throw new SagaError(
      'usage',
      `saga journal does not take ${JSON.stringify(args[1])}.`,
      'To read: saga journal <story>   To add an entry: saga journal <story> add --title "…"',
    );
  },
};

function read({ paths, args, out }: Invocation<JournalJson>): undefined {
  const { journal, story, problems } = loadStory(paths(), args[0] ?? '');
  const unreadable = problems.filter((problem) => problem.file?.endsWith(JOURNAL_FILE));
  if (unreadable.length > 0) throw toError(unreadable);
  const { entries, preamble } = parseJournal(journal);
  const openBlockers = findOpenBlockers(entries);
  if (out.json) return void out.value({ story: story.id, entries, openBlockers });
  if (entries.length === 0 && preamble === '') return void out.lines(['The journal is empty.']);
  const width = Math.min(out.width, 100) - 2;
  const body = (text: string) => wrap(text, width).map((line) => `  ${line}`.trimEnd());
  out.lines([
    ...(preamble === '' ? [] : body(preamble)),
    ...entries.flatMap((entry) => {
      const open = openBlockers.includes(entry);
      const tone = open ? 'needs-you' : entry.kind === 'Resolution' ? 'done' : 'strong';
      const heading = `${out.paint(tone, `${entry.kind}${open ? ' (open)' : ''}`)}: ${cleanLine(entry.title)}`;
      return [
        `${heading}${entry.time ? `  ${out.paint('quiet', entry.time)}` : ''}`,
        ...(entry.body === '' ? [] : body(entry.body)),
      ];
    }),
  ]);
}

async function add({ paths, args, text, out }: Invocation<JournalJson>): Promise<undefined> {
  const title = formatTitle(text('title') ?? '');
  if (title === '') {
    throw new SagaError('usage', 'A journal entry needs a title.', 'Give one with --title "…".');
  }
  const body = text('body') === '-' ? readStandardInput() : (text('body') ?? '');
  const entry: JournalEntry = {
    kind: (text('kind') ?? 'Note') as JournalKind,
    title,
    body,
    time: new Date().toISOString(),
  };
  const story = args[0] ?? '';
  const path = await appendJournal(paths(), story, entry);
  const file = displayPath(paths().root, path);
  if (out.json) return void out.value({ story, entry: { id: idOf(entry), ...entry }, file });
  out.lines([`${out.paint('done', '✓')} ${entry.kind}: ${cleanLine(title)} → ${file}`]);
}
