import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDraft } from '../authoring/read-draft.ts';
import { readPlan } from './read-plan.ts';
import { writePlan } from './write-plan.ts';

const FOLDER = join(import.meta.dirname, 'documents');
const load = (start: string) => {
  const name = readdirSync(FOLDER).find((it) => it.startsWith(start)) ?? '';
  return readPlan(readFileSync(join(FOLDER, name), 'utf8'));
};
type Item = Record<string, unknown> & { tasks: Item[]; stories: Item[] };
const draftOf = (start: string) => {
  const { draft, slips } = load(start);
  expect(slips).toEqual([]);
  return draft as Item;
};

test.each(readdirSync(FOLDER))(
  '%s is a valid draft, and stays the same when it is written',
  (name) => {
    const { draft, slips } = readPlan(readFileSync(join(FOLDER, name), 'utf8'));
    expect(slips).toEqual([]);
    expect(readDraft(draft)).not.toHaveProperty('problems');
    const again = readPlan(writePlan(JSON.parse(JSON.stringify(withDefaults(draft as Item)))));
    expect(again.slips).toEqual([]);
    expect(withDefaults(again.draft as Item)).toEqual(withDefaults(draft as Item));
  },
);

/** As the schema of a draft would fill it in. */
function withDefaults(item: Item): object {
  const fill = (task: Item) => ({ status: 'pending', blockedBy: [], ...task });
  const story = (it: Item) => ({ blockedBy: [], ...it, tasks: it.tasks.map(fill) });
  if (!item.stories) return story(item);
  return { children: [], ...item, stories: item.stories.map(story) };
}

test('headings are epic, stories and tasks; labels are fields; after: is the order', () => {
  expect(draftOf('01')).toEqual({
    id: 'checkout',
    title: 'Checkout',
    description:
      'Let people pay for what is in their cart.\n\n- Cards first, invoices later.\n- Prices are integers in cents.',
    stories: [
      {
        id: 'cart-model',
        title: 'Cart model',
        description: 'The cart as data, in `src/cart.ts`.',
        guidance: 'Plain functions, no classes.',
        doneWhen: '`npm test` passes.',
        avoid: 'New dependencies.',
        writeFiles: ['src/cart.ts', 'test/cart.test.ts'],
        verify: 'npm test',
        tasks: [
          {
            id: 'write-failing-tests',
            subject: 'Write failing tests',
            description: 'In test/cart.test.ts: an empty cart, one item, several.',
            doneWhen: 'npm test fails only because the functions are missing.',
          },
          {
            id: 'add-items-and-totals',
            subject: 'Add items and totals',
            description: 'Add items and totals',
            blockedBy: ['write-failing-tests'],
          },
        ],
      },
      {
        id: 'cart-api',
        title: 'Cart API',
        description: 'GET and POST /cart, on top of the model.',
        blockedBy: ['cart-model'],
        tasks: [{ id: 'routes', subject: 'Routes', description: 'In src/routes.ts.' }],
      },
    ],
  });
});

test('a list is tasks, with boxes for the status and an order by title', () => {
  const { id, tasks } = draftOf('02');
  expect([id, tasks]).toEqual([
    'things-for-the-release',
    [
      {
        id: 'bump-the-version',
        subject: 'Bump the version',
        description: 'Bump the version',
        status: 'completed',
      },
      {
        id: 'write-the-changelog',
        subject: 'Write the changelog',
        description: 'In CHANGELOG.md, one line a change.',
      },
      {
        id: 'tag-it',
        subject: 'Tag it',
        description: 'Tag it',
        blockedBy: ['write-the-changelog'],
      },
    ],
  ]);
});

test('in a numbered list each task waits for the one before', () => {
  expect(draftOf('03').tasks.map(({ id, blockedBy }) => [id, blockedBy])).toEqual([
    ['make-a-new-key', undefined],
    ['sign-the-old-one-with-it', ['make-a-new-key']],
    ['publish-both', ['sign-the-old-one-with-it']],
  ]);
});

test('a requirement text keeps its tables, quotes and bold words; a list behind a colon is text', () => {
  const { description, stories } = draftOf('04');
  expect(description).toContain('**Author:** Kim');
  expect(description).toContain('| searches a day | 8 | 3 |');
  const [keep, run] = stories;
  expect(keep?.description).toContain('1. A name is unique for a person.');
  expect(keep?.doneWhen).toBe(
    '- a kept search is there after a reload\n- the 51st is refused with a message',
  );
  expect(keep?.tasks).toMatchObject([
    { id: 'table-saved-searches-with-a-migration' },
    { id: 'endpoint-post-searches', blockedBy: ['table-saved-searches-with-a-migration'] },
  ]);
  expect(run).toMatchObject({
    blockedBy: ['keep-a-search'],
    tasks: [{ id: 'button' }, { needsTests: true }],
  });
});

test('line ends of Windows, a byte order mark, other alphabets', () => {
  expect(draftOf('05')).toEqual({
    id: 'zeilenenden',
    title: 'Zeilenenden',
    description: 'Eine Datei mit CRLF und BOM.',
    doneWhen: 'beides verschwindet',
    tasks: ['Erste Aufgabe', 'Zweite Aufgabe'].map((subject) => ({
      ...{ id: subject.toLowerCase().replace(' ', '-'), subject, description: subject },
    })),
  });
  const { id, stories } = draftOf('06');
  expect([id, ...stories.map((it) => [it.id, it.title, it.blockedBy, it.tasks.length])]).toEqual([
    'epic',
    ['story', 'Корзина', undefined, 2],
    ['story-2', 'سلة', ['story'], 1],
  ]);
});

test('code and remarks hold no headings, fields or tasks', () => {
  const { description, verify, tasks, avoid } = draftOf('07');
  expect(description).toContain('# Not a heading of the plan');
  expect(description).not.toContain('a remark');
  expect([verify, avoid, tasks.map((task) => task.description)]).toEqual([
    'npm run build\nnpm test',
    undefined,
    ['    indented code'],
  ]);
});

test('what is indented below an item belongs to its task', () => {
  const [parse, show] = draftOf('08').tasks;
  expect(parse).toMatchObject({ description: '- CSV\n- vCard', doneWhen: 'both are read.' });
  expect(show).toMatchObject({ subject: 'Show a preview' });
});

test('a line of dashes below a text makes no story', () => {
  const { description, stories } = draftOf('09');
  expect(description).toBe('Some text\n---------\n\n***');
  expect(stories).toMatchObject([
    { description: 'Text above a rule\n---', tasks: [{ id: 'do-one-thing' }] },
  ]);
});

test('an epic names what exists already; a block of JSON holds other fields', () => {
  expect(draftOf('10')).toMatchObject({
    labels: ['platform', 'q3'],
    children: [
      { id: 'billing', blockedBy: [] },
      { id: 'shipping', blockedBy: ['billing'] },
    ],
    stories: [{ id: 'invoices', blockedBy: ['billing'], 'x-ticket': 'PLAT-12' }],
  });
});

test('a command or a list of files is one block; the text below it belongs to the description', () => {
  expect(draftOf('13')).toMatchObject({
    description:
      'The index is built on every start. It should be kept.\n\nIt lives in src/search/index.ts.\n\nMeasure before and after.',
    verify: 'npm test',
    writeFiles: ['src/search/**', 'test/search.test.ts'],
    tasks: [{ id: 'keep-the-index' }, { id: 'read-it-again' }],
  });
});

test('fields need no empty lines around them', () => {
  expect(draftOf('11')).toMatchObject({
    description: 'Text right below.',
    epic: 'shop',
    blockedBy: ['other', 'another'],
    guidance: 'one line\nthat goes on here.\n\nAnd a second paragraph.',
    doneWhen: 'now',
    tasks: [{ subject: 'Do it', description: 'Right away.' }],
  });
  expect(draftOf('12')).toMatchObject({ description: 'The list is text:\n\n- a\n- b', tasks: [] });
});

test.each<[name: string, text: string, line: number, message: string, hint: string]>([
  ['nothing', '', 1, 'no heading', '# Title'],
  ['only text', 'Hello\n', 1, 'above the first heading', '# Title'],
  ['text above', 'Hello\n\n## A\n', 1, 'above the first heading', '# Title'],
  ['front matter', '---\nid: a\n---\n\n## A\n', 1, 'front matter', 'saga migrate'],
  ['a second epic', '# A\n\n## B\n\n# C\n', 5, 'second epic', '##'],
  ['two stories', '## A\n\n## B\n', 3, 'no epic', '# Title'],
  ['a task first', '### T\n\n## A\n', 1, 'no story', '##'],
  ['a story above', '## A\n\n# B\n\n## C\n', 1, 'above the epic', '#'],
  ['a misspelt field', '## A\n\n**Dne when:** x\n', 3, '**Dne when:**', 'Done when'],
  ['another word', '## A\n\ntext\n**Acceptance criteria:** x\n', 4, 'Acceptance', 'Done when'],
  ['a field of a story', '## A\n\n### T\n\n**Verify:** `x`\n', 5, 'Verify', 'field of a story'],
  ['a field twice', '## A\n\n**Avoid:** x\n\n**Avoid:** y\n', 5, 'given before', 'one label'],
  [
    'after twice',
    '## A\n\nafter: b\nafter: c\n',
    4,
    '"After" of this story was given',
    'one label',
  ],
  ['an unknown name', '# E\n\n## Cart\n\n## B\n\nafter: Crat\n', 7, '"Crat"', 'Did you mean cart?'],
  ['an unknown task', '## A\n\n- one\n- two (after: three)\n', 4, '"three"', 'by id or title'],
  ['a circle', '# E\n\n## A\nafter: b\n\n## B\nafter: a\n', 4, 'a → b → a', 'after:'],
  ['itself', '## A\n\n### T\nafter: t\n', 4, 'task t waits for itself', 'after:'],
  ['an id twice', '# E\n\n## A {#x}\n\n## B {#x}\n', 5, 'given on line 3', '{#another-id}'],
  ['an id that is none', '## A {#Not_one}\n', 1, '"Not_one" is not an id', 'lower-case'],
  ['yes or no', '## A\n\n### T\n\n**Needs tests:** perhaps\n', 5, 'yes or no', 'Correct'],
  ['bad JSON', '## A\n\n```saga\n{ "a": }\n```\n', 3, 'not a JSON object', 'fields'],
  ['text for tasks', '## A\n\n**Tasks:** some\n', 3, 'followed by text', 'item of a list'],
  ['a child that is none', '# E\n\n**Contains:** Big Thing\n', 3, '"Big Thing"', 'exist already'],
  ['no title', '## {#a}\n', 1, 'no title', 'title'],
])('a slip is told with its line and what was meant: %s', (_, text, line, message, hint) => {
  const { slips } = readPlan(text);
  expect(slips[0]).toMatchObject({
    line,
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  });
});

test.each<[string, string]>([
  ['quotes in quotes', `## A\n\n${'>'.repeat(20_000)} x\n`],
  [
    'lists in lists',
    `## A\n\n${Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i * 2)}- x`).join('\n')}\n`,
  ],
  ['brackets', `## A\n\n${'['.repeat(50_000)}\n`],
  ['stars', `## A\n\n${'*a '.repeat(50_000)}\n`],
  ['backticks', `## A\n\n${'`'.repeat(100_000)}\n`],
  ['an open remark', `## A\n\n<!--${'\n## B'.repeat(10_000)}\n`],
  ['open HTML', `## A\n\n${'<div>\n'.repeat(10_000)}\n`],
  ['tables', `## A\n\n${'| a '.repeat(20_000)}\n${'|---'.repeat(20_000)}\n`],
  ['a huge heading', `## ${'x'.repeat(500_000)}\n`],
  ['a huge line of globs', `## A\n\n**Writes:** ${'{a,'.repeat(20_000)}\n`],
  ['names that are almost ids', `# E\n\n## A\n\nafter: ${'b, '.repeat(5000)}\n`],
  ['control characters', `## A\n\n${'\u0000\u0007\u001b[2J'.repeat(1000)}\n`],
])('hostile Markdown is read and is text: %s', (_, text) => {
  const { draft } = readPlan(text);
  expect(draft).toMatchObject({ title: expect.any(String) });
  if (text.startsWith('## A')) expect(draft).toMatchObject({ id: 'a' });
});
