import { expect, test } from 'vitest';
import type { Carried } from './carried.ts';
import { fromBeads } from './from-beads.ts';
import { fromMarkdownStories } from './from-markdown-stories.ts';
import { fromSpecKit } from './from-spec-kit.ts';
import { fromTaskLists } from './from-task-lists.ts';
import { fromTaskMaster } from './from-task-master.ts';

const file = (path: string, content: unknown) => ({
  path,
  text: typeof content === 'string' ? content : JSON.stringify(content),
});
/** The stories with their tasks and statuses, in short. */
const brief = ({ stories }: Carried) =>
  stories.map(({ story, tasks }) => [
    story.id,
    ...tasks.map(({ id, status, blockedBy }) => `${id} ${status} ${blockedBy.join()}`.trim()),
  ]);
const notesOf = ({ notes }: Carried) => notes.map(({ note }) => note);

const STORY = `---
id: pipeline
title: Worker pipeline
status: in_progress
epic: tools
depends_on: [types]
tasks:
  - id: t1
    title: Parse the arguments
    status: completed
  - id: t2
    title: Set up the worktree
    status: pending
    blocked_by: t1
---

## Context

The old worker reads \`story.md\`.

## Scope Boundaries

**In scope:**
- the worker

## Acceptance Criteria

- [ ] It runs

## Tasks

### t1: Parse the arguments

**Guidance:**
- One argument

**References:**
- \`src/args.ts\`

**Avoid:**
- Classes

**Done when:**
- Usage is printed

### t2: Set up the worktree

Idempotent.

### t3: Extra
`;

test('Markdown stories with front matter: sections, tasks and statuses', () => {
  const carried = fromMarkdownStories([
    file('.saga/epics/tools/epic.md', '# Tools\n\n## Overview\n\nAll tools.\n'),
    file(
      '.saga/epics/tools/stories/types/story.md',
      '---\ntitle: Types\nstatus: done\n---\n\nBody.\n',
    ),
    file('.saga/epics/tools/stories/types/journal.md', '## Decision: zod\n'),
    file('.saga/stories/pipeline/story.md', STORY),
  ]);
  expect(carried.epics).toEqual([
    {
      id: 'tools',
      title: 'Tools',
      description: '## Overview\n\nAll tools.',
      children: [
        { id: 'types', blockedBy: [] },
        { id: 'pipeline', blockedBy: ['types'] },
      ],
    },
  ]);
  expect(brief(carried)).toEqual([
    ['types', 'work completed'],
    ['pipeline', 't1 completed', 't2 pending t1', 't3 pending'],
  ]);
  expect(carried.stories[0]).toMatchObject({
    journal: '## Decision: zod\n',
    story: { description: 'Body.' },
  });
  expect(carried.stories[1]?.story).toEqual({
    id: 'pipeline',
    title: 'Worker pipeline',
    description:
      'The old worker reads `story.md`.\n\n## Scope Boundaries\n\n**In scope:**\n- the worker',
    epic: 'tools',
    doneWhen: '- [ ] It runs',
  });
  expect(carried.stories[1]?.tasks[0]).toMatchObject({
    subject: 'Parse the arguments',
    guidance: '- One argument\n\nReferences:\n- `src/args.ts`\n\nAvoid:\n- Classes',
    doneWhen: '- Usage is printed',
  });
  expect(carried.stories[1]?.tasks[1]?.description).toBe('Idempotent.');
  expect(notesOf(carried)).toEqual(['task "Extra" has no status: it is pending']);
});

test('front matter that is no YAML is noted, and hostile YAML does no harm', () => {
  const bomb = `a: &a [x, x]\nb: &b [*a, *a]\n${'c: [*b, *b]\n'.repeat(3)}`;
  const carried = fromMarkdownStories([
    file('.saga/stories/a/story.md', '---\n: [\n---\n\nText\n'),
    file('.saga/stories/b/story.md', `---\n${bomb}---\n\nText\n`),
    file('.saga/stories/Not An Id/story.md', 'Just text'),
  ]);
  expect(carried.stories.map(({ story }) => story.id)).toEqual(['a', 'b', 'not-an-id']);
  expect(notesOf(carried)[0]).toContain('not valid YAML');
});

test('task lists: coordinators become epics, at any depth', () => {
  const list = (name: string, more: object = {}) =>
    file(`.saga/tasks/${name}/tasklist.json`, { id: name, title: name, description: 'd', ...more });
  const carried = fromTaskLists([
    list('auth', {
      children: [
        { id: 'auth--api', blockedBy: ['auth--db'] },
        { id: 'auth--db', blockedBy: [] },
      ],
    }),
    list('auth--api', {
      children: [
        { id: 'auth--api--login', blockedBy: [] },
        { id: 'lost', blockedBy: [] },
      ],
      guidance: 'g',
    }),
    list('auth--api--login', { branch: 'tasklist/x', guidance: 'g', doneWhen: 'd', avoid: 'a' }),
    list('auth--db'),
    file('.saga/tasks/auth--db/b.json', {
      id: 'b',
      subject: 'B',
      status: 'in_progress',
      blockedBy: ['a', 'gone'],
    }),
    file('.saga/tasks/auth--db/a.json', {
      id: 'a',
      subject: 'A',
      status: 'completed',
      blockedBy: [],
      doneWhen: 'x',
    }),
    file('.saga/tasks/broken/tasklist.json', '{ nope'),
  ]);
  expect(carried.epics.map(({ id, children }) => [id, children])).toEqual([
    [
      'auth',
      [
        { id: 'auth--api', blockedBy: ['auth--db'] },
        { id: 'auth--db', blockedBy: [] },
      ],
    ],
    ['auth--api', [{ id: 'auth--api--login', blockedBy: [] }]],
  ]);
  expect(carried.epics[1]?.description).toBe('d\n\nGuidance: g');
  expect(brief(carried)).toEqual([
    ['auth--api--login'],
    ['auth--db', 'b in_progress a', 'a completed'],
  ]);
  expect(carried.stories[0]?.story).toMatchObject({
    epic: 'auth--api',
    guidance: 'g',
    doneWhen: 'd',
    avoid: 'a',
  });
  expect(notesOf(carried).toSorted()).toEqual([
    'branch tasklist/x stays as it is, and SAGA uses a new one for auth--api--login',
    'child lost does not exist: dropped',
    'line 1 is not valid JSON: the file is left out',
    'waited for gone, which is missing: dropped',
  ]);
});

const MASTER = [
  {
    id: 1,
    title: 'Init',
    description: 'd',
    status: 'done',
    dependencies: [],
    priority: 'high',
    details: 'how',
    testStrategy: 'check',
  },
  {
    ...{ id: 2, title: 'Auth', status: 'in-progress', dependencies: [1, 9] },
    subtasks: [
      { id: 1, title: 'OAuth', status: 'done', dependencies: [] },
      { id: 2, title: 'Sessions', status: 'pending', dependencies: [1, '2.1', '3.1'] },
    ],
  },
  { id: 3, title: 'Mail', status: 'deferred', dependencies: [] },
  { id: 4, title: 'Old', status: 'cancelled' },
];

test.each([
  [
    'with tags',
    { master: { tasks: MASTER, metadata: { description: 'An app' } }, empty: { tasks: [] } },
  ],
  ['without', { meta: { projectName: 'An app' }, tasks: MASTER }],
])('task-master %s', (_, content) => {
  const carried = fromTaskMaster([file('.taskmaster/tasks/tasks.json', content)]);
  expect(carried.epics).toMatchObject([
    {
      ...{ id: 'task-master', title: 'An app' },
      children: [
        { id: 'init', blockedBy: [] },
        { id: 'auth', blockedBy: ['init', 'mail'] },
        { id: 'mail', blockedBy: [] },
      ],
    },
  ]);
  expect(brief(carried)).toEqual([
    ['init', 'work completed'],
    ['auth', 'oauth completed', 'sessions pending oauth'],
    ['mail', 'work pending'],
  ]);
  expect(carried.stories[0]?.story).toMatchObject({
    guidance: 'how',
    doneWhen: 'check',
    labels: ['priority-high'],
  });
  expect(carried.stories[2]?.story.labels).toEqual(['deferred']);
  expect(notesOf(carried)).toEqual([
    'task 4 (Old) was cancelled: left out',
    'auth waited for task 9, which is not beside it: dropped',
  ]);
});

test('beads: epics, their children and what they wait for; a bad line costs only itself', () => {
  const edge = (from: string, to: string, type: string) => ({
    issue_id: from,
    depends_on_id: to,
    type,
  });
  const lines = [
    { id: 'bd-1', title: 'Shop', issue_type: 'epic', status: 'open' },
    {
      id: 'bd-1.1',
      title: 'Cart',
      status: 'closed',
      priority: 1,
      acceptance_criteria: 'ok',
      dependencies: [edge('bd-1.1', 'bd-1', 'parent-child')],
    },
    {
      id: 'bd-1.2',
      title: 'Pay',
      status: 'open',
      labels: ['money'],
      dependencies: [
        edge('bd-1.2', 'bd-1.1', 'blocks'),
        edge('bd-1.2', 'bd-7', 'blocks'),
        edge('bd-1.2', 'bd-8', 'related'),
      ],
    },
    { id: 'bd-1.2.1', title: 'Cards', status: 'in_progress', design: 'tokens' },
    {
      id: 'bd-1.2.2',
      title: 'Invoices',
      dependencies: [edge('bd-1.2.2', 'bd-1.2.1', 'blocks')],
      comments: [{ text: 'x' }],
    },
    { id: 'bd-7', title: 'Loose', status: 'blocked' },
    { id: 'bd-8', title: 'Loose', notes: 'n' },
    { id: 'bd-9', title: 'Gone', status: 'tombstone' },
  ];
  const carried = fromBeads([
    file(
      '.beads/issues.jsonl',
      [...lines.map((it) => JSON.stringify(it)), 'nonsense', ''].join('\n'),
    ),
  ]);
  expect(carried.epics.map(({ id, children }) => [id, children])).toEqual([
    [
      'shop',
      [
        { id: 'cart', blockedBy: [] },
        { id: 'pay', blockedBy: ['cart'] },
      ],
    ],
    [
      'beads',
      [
        { id: 'loose', blockedBy: [] },
        { id: 'loose-2', blockedBy: [] },
      ],
    ],
  ]);
  expect(brief(carried)).toEqual([
    ['cart', 'work completed'],
    ['pay', 'cards in_progress', 'invoices pending cards'],
    ['loose', 'work pending'],
    ['loose-2', 'work pending'],
  ]);
  expect(carried.stories[0]?.story).toMatchObject({ doneWhen: 'ok', labels: ['p1'], epic: 'shop' });
  expect(notesOf(carried)).toEqual([
    'its comments stay in beads',
    'was deleted in beads: left out',
    'is not an issue: left out',
    'waits for bd-7, which belongs to something else: dropped',
  ]);
});

test('spec-kit: phases are stories, user stories do not wait for each other, [P] waits for no neighbour', () => {
  const carried = fromSpecKit([
    file(
      'specs/001-albums/tasks.md',
      `---
description: "Tasks"
---

# Tasks: Albums

## Format: \`[ID] [P?] Description\`

- **[P]**: parallel

## Phase 1: Setup

**Purpose**: Begin

- [x] T001 Make folders
- [ ] T002 [P] Lint
- [ ] T003 [P] Format
- [ ] T004 Hooks

## Phase 2: Foundational

- [ ] T005 Database

## Phase 3: User Story 1 - Albums (Priority: P1)

**Goal**: See albums

**Independent Test**: Open the page

- [ ] T010 [US1] Model in src/a.py
- [ ] T011 [US1] Page (depends on T010, T005)

## Phase 4: User Story 2 - Share

- [ ] T020 [US2] Share
- [ ] no number

## Phase 5: Polish

- [ ] T030 Docs

\`\`\`
- [ ] T099 only an example
\`\`\`
`,
    ),
  ]);
  const [setup, base, one, two, polish] = carried.stories.map(({ story }) => story.id);
  expect(carried.epics[0]).toMatchObject({
    ...{ id: '001-albums', title: 'Albums' },
    children: [
      { id: setup, blockedBy: [] },
      { id: base, blockedBy: [setup] },
      { id: one, blockedBy: [base] },
      { id: two, blockedBy: [base] },
      { id: polish, blockedBy: [one, two] },
    ],
  });
  expect(brief(carried)[0]).toEqual([
    '001-albums-setup',
    't001 completed',
    't002 pending t001',
    't003 pending t001',
    't004 pending t001,t002,t003',
  ]);
  expect(carried.stories[2]).toMatchObject({
    story: { description: 'See albums', doneWhen: 'Open the page' },
    tasks: [{ id: 't010' }, { id: 't011', blockedBy: ['t010'] }],
  });
  expect(notesOf(carried)).toEqual(['"[ ] no number" has no number such as T001: left out']);
});
