import { EpicDraft, StoryDraft } from '@saga-ai/types/plan/draft';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlan } from './read-plan.ts';
import { writePlan } from './write-plan.ts';

/** Lines that mean something in Markdown or in a plan. */
const LINES = [
  ...['# One', '## Two', '### Three', '#### Four', '#', 'Title {#own-id}', '{#x}', 'x #'],
  ...['```', '````', '~~~', '```saga', '```sh', '{}', '{ "id": "x" }', '<!--', '-->', '<!-- a -->'],
  ...[
    '<div>',
    '</div>',
    '<script>',
    '- item',
    '* item',
    '1. first',
    '2) x',
    '-',
    '- [ ] open',
    '  - deep',
  ],
  ...[
    '    code',
    '\tcode',
    '**Done when:** x',
    '**Done when:**',
    '**done when**: x',
    '**Dne when:** y',
  ],
  ...[
    '**Tasks:** none',
    '**Contains:** a',
    '**Labels:** below',
    '**Note:** x',
    'after: a, b',
    'After: x',
  ],
  ...[
    '---',
    '===',
    '***',
    '> quote',
    '[a]: http://b',
    '| a | b |',
    '|---|---|',
    'it is:',
    'x  ',
    '  x',
  ],
  ...[
    '',
    ' ',
    '\u0000',
    'x\ry',
    '\u2028',
    'größer',
    '购物车',
    'عربة',
    '🛒',
    '`a`',
    '``',
    'none',
    '\\',
    '&amp;',
  ],
  ...['yes', 'ends with a backslash\\', 'Plain words.', '"children":', '"stories": []', 'a, b'],
];

const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...LINES), { maxLength: 5 }).map((it) => it.join('\n')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).filter((it) => it.isWellFormed()),
  },
);
const title = text.filter((it) => it !== '');
const ids = fc.uniqueArray(
  fc.constantFrom(
    'a',
    'b',
    'one',
    'two',
    'three',
    'plain-words',
    'own-id',
    'cart-api',
    'x9',
    'next',
    'probe',
  ),
  { minLength: 2, maxLength: 6 },
);
const names = fc.array(text, { maxLength: 3 });
const json = fc.jsonValue({ maxDepth: 2 }).map((it) => JSON.parse(JSON.stringify(it)) as unknown);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const taskFields = fc.record({
  subject: title,
  description: text,
  status: fc.constantFrom('pending', 'in_progress', 'completed'),
  guidance: maybe(text),
  doneWhen: maybe(text),
  activeForm: maybe(text),
  needsTests: maybe(fc.boolean()),
  noChange: maybe(title),
  area: maybe(text),
  labels: maybe(names),
  writeFiles: maybe(names),
  attempts: maybe(fc.nat(5)),
  'x-own': maybe(json),
});
const storyFields = fc.record({
  title,
  description: text,
  guidance: maybe(text),
  doneWhen: maybe(text),
  avoid: maybe(text),
  writeFiles: maybe(names),
  verify: maybe(text),
  labels: maybe(names),
  branch: maybe(text),
  ticket: maybe(json),
});

/** Drops fields that are missing, as JSON does. */
const clean = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const story = (id: string, blockedBy: readonly string[]) =>
  fc
    .tuple(storyFields, ids, fc.array(taskFields, { maxLength: 3 }), fc.boolean())
    .map(([fields, taskIds, tasks, inOrder]) => ({
      ...{ id, ...fields, blockedBy },
      tasks: tasks.slice(0, taskIds.length).map((task, i) => ({
        ...{ id: taskIds[i] ?? '', ...task },
        blockedBy: inOrder ? taskIds.slice(0, i) : [],
      })),
    }));

const epic = fc
  .tuple(ids, title, text, maybe(names), fc.boolean(), fc.array(fc.nat(3), { maxLength: 3 }))
  .chain(([all, epicTitle, description, labels, hasChild, waits]) => {
    const [id = 'e', ...storyIds] = all;
    const child = hasChild ? [{ id: 'existing', blockedBy: storyIds.slice(0, waits.length) }] : [];
    return fc
      .tuple(...storyIds.map((it, i) => story(it, storyIds.slice(0, Math.min(i, waits[i] ?? 0)))))
      .map((stories) => ({ id, title: epicTitle, description, labels, children: child, stories }));
  });

/** SAGA_RUNS takes more of them. */
const numRuns = Number(process.env.SAGA_RUNS ?? 150);

test('any epic is read from Markdown exactly as it was written to it', () => {
  fc.assert(
    fc.property(epic, (given) => {
      const draft = EpicDraft.parse(clean(given));
      const markdown = writePlan(draft);
      const { draft: read, slips } = readPlan(markdown);
      expect({ markdown, slips }).toEqual({ markdown, slips: [] });
      expect(EpicDraft.parse(read)).toEqual(draft);
    }),
    { numRuns, seed: 19 },
  );
});

test('any single story is read from Markdown exactly as it was written to it', () => {
  const single = fc
    .tuple(story('single', ['a', 'b']), maybe(fc.constant('shop')))
    .map(([it, inEpic]) => ({ ...it, epic: inEpic }));
  fc.assert(
    fc.property(single, (given) => {
      const draft = StoryDraft.parse(clean(given));
      const { draft: read, slips } = readPlan(writePlan(draft));
      expect(slips).toEqual([]);
      expect(StoryDraft.parse(read)).toEqual(draft);
    }),
    { numRuns, seed: 20 },
  );
});

test('an epic without stories stays an epic', () => {
  const draft = EpicDraft.parse({ id: 'later', title: 'Later', description: 'Not now.' });
  expect(EpicDraft.parse(readPlan(writePlan(draft)).draft)).toEqual({
    ...draft,
    children: [],
    stories: [],
  });
});

test('a plan reads as a person would write it', () => {
  const draft = EpicDraft.parse({
    id: 'shop',
    title: 'A shop',
    description: 'Sell things.\n\nTo everybody.',
    stories: [
      {
        ...{ id: 'cart', title: 'Cart', description: 'Holds:\n\n- items\n- prices' },
        ...{
          doneWhen: 'npm test passes',
          verify: 'npm test',
          writeFiles: ['src/cart/**', 'test/**'],
        },
        guidance: 'Plain functions.\n\nNo classes.',
        tasks: [
          {
            id: 'tests',
            subject: 'Write tests',
            description: 'In test/cart.test.ts.',
            needsTests: true,
          },
          { id: 'code', subject: 'Code', description: 'Code', blockedBy: ['tests'], 'x-size': 3 },
        ],
      },
      { id: 'pay', title: 'Pay', description: 'Takes money.', blockedBy: ['cart'] },
    ],
  });
  expect(writePlan(draft)).toMatchInlineSnapshot(`
    "# A shop {#shop}

    Sell things.

    To everybody.

    ## Cart

    Holds:

    - items
    - prices

    **Guidance:**

    Plain functions.

    No classes.

    **Done when:** npm test passes
    **Writes:** \`src/cart/**\`, \`test/**\`
    **Verify:** \`npm test\`

    ### Write tests {#tests}

    In test/cart.test.ts.

    **Needs tests:** yes

    ### Code

    after: tests

    \`\`\`saga
    {
      "x-size": 3
    }
    \`\`\`

    ## Pay

    Takes money.

    after: cart
    "
  `);
});
