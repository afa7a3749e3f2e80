import { SagaError } from '@saga-ai/core/errors';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { readEpics } from '@saga-ai/core/plan/epics';
import { loadStory } from '@saga-ai/core/plan/stories';
import type { Paths } from '@saga-ai/core/project/paths';
import type { SearchJson } from '@saga-ai/types/screens/json/plan';
import { findFirstHit, searchItems, splitWords } from '@saga-ai/types/words/search';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { formatRows } from '../../output/rows.ts';
import { cleanLine } from '../../output/text.ts';

export const command: Command<SearchJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.SearchJson),
  args: [{ name: 'words', help: 'the words to look for', required: true, rest: true }],
  options: { limit: { type: 'text', value: 'N', help: 'show at most N results (20)' } },
  about:
    'Searches ids, titles, descriptions, tasks and journals. A word with a typo is found, too.',
  async run({ paths, out, args, text }) {
    const limit = readLimit(text('limit') ?? '20');
    const hits = await search(paths(), args.join(' '), limit);
    if (out.json) return void out.value({ hits });
    if (hits.length === 0) return void out.lines(['Nothing found.']);
    out.lines(
      formatRows(
        hits.map((hit) => [
          { text: hit.kind, tone: 'quiet' },
          { text: hit.id, isId: true },
          { text: hit.title, flexible: true },
          { text: hit.excerpt, tone: 'quiet', flexible: true },
        ]),
        out,
      ),
    );
    return 0;
  },
};

function readLimit(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new SagaError(
    'usage',
    `--limit must be a whole number from 1 (found ${JSON.stringify(text)}).`,
    'Such as --limit 50.',
  );
}

interface Document {
  kind: Hit['kind'];
  /** The id that `saga show` takes. */
  id: string;
  title: string;
  text: string;
}

type Hit = SearchJson['hits'][number];

async function search(paths: Paths, query: string, limit: number): Promise<Hit[]> {
  const words = splitWords(query);
  const found = searchItems(await collect(paths), query, ({ id, title, text }) => [
    { text: id.toLowerCase(), weight: 3 },
    { text: title.toLowerCase(), weight: 2 },
    { text: text.toLowerCase(), weight: 1 },
  ]);
  return found.slice(0, limit).map(({ item: { kind, id, title, text }, score }) => {
    return { kind, id, title, score, excerpt: excerpt(text, words) };
  });
}

async function collect(paths: Paths): Promise<Document[]> {
  const documents: Document[] = readEpics(paths).epics.map((epic) => ({
    kind: 'epic',
    id: epic.id,
    title: epic.title,
    text: epic.description,
  }));
  for (const { id, title } of (await loadOverview(paths, environment.handedOver())).stories) {
    documents.push(...collectStory(paths, id, title));
  }
  return documents;
}

/** A story whose files cannot be read is still found by its id and title. */
function collectStory(paths: Paths, id: string, title: string): Document[] {
  try {
    const { story, tasks, journal } = loadStory(paths, id);
    const texts = [story.description, story.guidance, story.doneWhen, story.avoid];
    return [
      { kind: 'story', id, title, text: texts.filter(Boolean).join('\n') },
      ...tasks.map(
        (task): Document => ({
          kind: 'task',
          id: `${id}/${task.id}`,
          title: task.subject,
          text: [task.description, task.guidance, task.doneWhen].filter(Boolean).join('\n'),
        }),
      ),
      ...(journal === ''
        ? []
        : [{ kind: 'journal' as const, id, title: 'Journal', text: journal }]),
    ];
  } catch {
    // Commands that list stories report what is wrong with this one.
    return [{ kind: 'story', id, title, text: '' }];
  }
}

/** Returns the text around the first hit. */
function excerpt(text: string, words: readonly string[]): string {
  const at = findFirstHit(text.toLowerCase(), words);
  if (at === -1) return '';
  const start = Math.max(0, at - 30);
  return `${start > 0 ? '…' : ''}${cleanLine(text.slice(start, at + 90))}`;
}
