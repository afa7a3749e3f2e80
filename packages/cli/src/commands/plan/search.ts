import { SagaError } from '@saga-ai/core/errors';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { readEpics } from '@saga-ai/core/plan/epics';
import { loadStory } from '@saga-ai/core/plan/stories';
import type { Paths } from '@saga-ai/core/project/paths';
import type { SearchJson } from '@saga-ai/types/screens/json/plan';
import MiniSearch from 'minisearch';
import type { Command } from '../../command.ts';
import { formatRows } from '../../output/rows.ts';
import { cleanLine } from '../../output/text.ts';

export const command: Command<SearchJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.SearchJson),
  args: [{ name: 'words', help: 'what to look for', required: true, rest: true }],
  options: { limit: { type: 'text', value: 'N', help: 'how many at the most (20)' } },
  about: 'Looks through ids, titles, descriptions, tasks and journals. Forgives typos.',
  async run({ paths, out, args, text }) {
    const limit = readLimit(text('limit') ?? '20');
    const hits = (await search(paths(), args.join(' '))).slice(0, limit);
    if (out.json) return void out.value({ hits });
    if (hits.length === 0) return void out.lines(['Nothing found.']);
    out.lines(
      formatRows(
        hits.map((hit) => [
          { text: hit.kind, tone: 'quiet' },
          { text: hit.id },
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
    'saga search --help shows how it is used.',
  );
}

interface Document {
  /** What `saga show` takes. */
  id: string;
  kind: 'story' | 'epic' | 'task' | 'journal';
  key: string;
  title: string;
  text: string;
}

async function search(paths: Paths, query: string) {
  const documents = await collect(paths);
  const engine = new MiniSearch<Document>({
    idField: 'key',
    fields: ['id', 'title', 'text'],
    searchOptions: {
      boost: { id: 3, title: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 3 ? 0.25 : false),
      combineWith: 'AND',
    },
  });
  engine.addAll(documents);
  const byKey = new Map(documents.map((document) => [document.key, document]));
  const strict = engine.search(query);
  const results = strict.length > 0 ? strict : engine.search(query, { combineWith: 'OR' });
  return results.flatMap((result) => {
    const document = byKey.get(result.id);
    if (!document) return [];
    const { kind, id, title, text } = document;
    return [{ kind, id, title, score: result.score, excerpt: excerpt(text, result.terms) }];
  });
}

async function collect(paths: Paths): Promise<Document[]> {
  const documents: Document[] = readEpics(paths).epics.map((epic) => ({
    kind: 'epic',
    key: epic.id,
    id: epic.id,
    title: epic.title,
    text: epic.description,
  }));
  for (const { id, title } of (await loadOverview(paths)).stories) {
    documents.push(...collectStory(paths, id, title));
  }
  return documents;
}

/** A story that cannot be read is still found by its name. */
function collectStory(paths: Paths, id: string, title: string): Document[] {
  try {
    const { story, tasks, journal } = loadStory(paths, id);
    const texts = [story.description, story.guidance, story.doneWhen, story.avoid];
    return [
      { kind: 'story', key: id, id, title, text: texts.filter(Boolean).join('\n') },
      ...tasks.map(
        (task): Document => ({
          kind: 'task',
          key: `${id}/${task.id}`,
          id: `${id}/${task.id}`,
          title: task.subject,
          text: [task.description, task.guidance, task.doneWhen].filter(Boolean).join('\n'),
        }),
      ),
      ...(journal === ''
        ? []
        : [
            { kind: 'journal' as const, key: `${id}#journal`, id, title: 'Journal', text: journal },
          ]),
    ];
  } catch {
    // loadOverview reports what is wrong with it wherever stories are listed.
    return [{ kind: 'story', key: id, id, title, text: '' }];
  }
}

/** The words around the first hit. */
function excerpt(text: string, terms: string[]): string {
  const lower = text.toLowerCase();
  const at = Math.min(...terms.map((term) => lower.indexOf(term)).filter((index) => index >= 0));
  if (!Number.isFinite(at)) return '';
  const start = Math.max(0, at - 30);
  return `${start > 0 ? '…' : ''}${cleanLine(text.slice(start, at + 90))}`;
}
