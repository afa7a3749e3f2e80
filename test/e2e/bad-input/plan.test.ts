import { describe, expect, test } from 'vitest';
import { buildStory } from '../../rig/project/plan-files.ts';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';
import { type Complaint, expectProblems, GOOD_STORY } from '../../rig/screens/expect-complaint.ts';

interface Case {
  name: string;
  arrange(project: TempProject): void;
  problems: Complaint[];
}

const STORY = '.saga/stories/bad/story.json';
const EPIC = '.saga/epics/big.json';
const taskFile = (id: string) => `.saga/stories/bad/${id}.json`;

/** Stories `a`, `b`, `c` in epic `big`, with what each is blocked by. */
const epicOf = (blockedBy: Record<string, string[]>) => (project: TempProject) => {
  const ids = Object.keys(blockedBy);
  for (const id of ids) project.writeStory(id, { epic: 'big' });
  project.writeEpic(
    'big',
    ids.map((id) => ({ id, blockedBy: blockedBy[id] ?? [] })),
  );
};
const tasksOf = (blockedBy: Record<string, string[]>) => (project: TempProject) =>
  project.writeStory(
    'bad',
    {},
    Object.keys(blockedBy).map((id) => ({ id, blockedBy: blockedBy[id] })),
  );

const DOUBLES: Case[] = [
  {
    name: 'a story and an epic of one id',
    arrange: (project) => {
      project.writeStory('big');
      project.writeEpic('big', []);
    },
    problems: [{ code: 'duplicate-id', file: EPIC, says: 'big is the id of a story and an epic' }],
  },
  {
    name: 'a story that is in the archive too',
    arrange: (project) => {
      project.writeStory('bad');
      project.write('archive/stories/bad/story.json', buildStory('bad'));
    },
    problems: [{ code: 'duplicate-id', file: STORY, says: 'archived' }],
  },
  {
    name: 'an epic that is in the archive too',
    arrange: (project) => {
      project.writeEpic('big', []);
      project.write('archive/epics/big.json', project.read('epics/big.json'));
    },
    problems: [{ code: 'duplicate-id', file: EPIC, says: 'archived' }],
  },
  {
    name: 'a child twice in its epic',
    arrange: (project) => {
      epicOf({ a: [] })(project);
      project.writeEpic('big', [{ id: 'a' }, { id: 'a' }]);
    },
    problems: [{ code: 'duplicate-id', file: EPIC, says: 'a is the id of two children' }],
  },
  {
    name: 'a child of two epics',
    arrange: (project) => {
      epicOf({ a: [] })(project);
      project.writeEpic('other', [{ id: 'a' }]);
    },
    problems: [
      { code: 'epic-mismatch', file: '.saga/stories/a/story.json', says: 'epics/other.json lists' },
      {
        code: 'duplicate-id',
        file: '.saga/epics/other.json',
        says: 'a is already a child of epic big',
      },
    ],
  },
];

const UNKNOWN: Case[] = [
  {
    name: 'a task blocked by a task that is not there',
    arrange: tasksOf({ a: ['nobody'] }),
    problems: [
      { code: 'unknown-id', file: taskFile('a'), field: 'blockedBy', says: 'names task nobody' },
    ],
  },
  {
    name: 'a child that is not there, with the one that was meant',
    arrange: (project) => project.writeEpic('big', [{ id: 'goood' }]),
    problems: [
      {
        code: 'unknown-id',
        file: EPIC,
        place: EPIC,
        field: 'children',
        says: 'child goood does not exist',
        hint: 'Did you mean good?',
      },
    ],
  },
  {
    name: 'a child blocked by what is no sibling',
    arrange: epicOf({ a: [GOOD_STORY] }),
    problems: [
      {
        code: 'unknown-id',
        file: EPIC,
        place: EPIC,
        field: 'children',
        says: 'child a is blocked by good, which is not a child of big',
      },
    ],
  },
  {
    name: 'a story of an epic that is not there',
    arrange: (project) => project.writeStory('bad', { epic: 'nobody' }),
    problems: [{ code: 'unknown-id', file: STORY, field: 'epic', says: 'names nobody' }],
  },
  {
    name: 'a story of an epic that does not know it',
    arrange: (project) => {
      project.writeStory('bad', { epic: 'big' });
      project.writeEpic('big', []);
    },
    problems: [{ code: 'epic-mismatch', file: STORY, field: 'epic', says: 'does not list bad' }],
  },
];

const CIRCLES: Case[] = [
  {
    name: 'tasks in a circle, and one behind it',
    arrange: tasksOf({ a: ['c'], b: ['a'], c: ['b'], d: ['c'] }),
    problems: [
      {
        code: 'cycle',
        file: taskFile('a'),
        place: 'Tasks of story bad',
        field: 'blockedBy',
        says: 'a → c → b → a.',
      },
    ],
  },
  {
    name: 'two circles of tasks, both told',
    arrange: tasksOf({ a: ['b'], b: ['a'], c: ['d'], d: ['c'] }),
    problems: [
      { code: 'cycle', file: taskFile('a'), place: 'story bad', says: 'a → b → a.' },
      { code: 'cycle', file: taskFile('c'), place: 'story bad', says: 'c → d → c.' },
    ],
  },
  {
    name: 'children in a circle',
    arrange: epicOf({ a: ['c'], b: ['a'], c: ['b'] }),
    problems: [
      { code: 'cycle', file: EPIC, place: EPIC, field: 'children', says: 'a → c → b → a.' },
    ],
  },
  {
    name: 'epics that contain each other',
    arrange: (project) => {
      project.writeEpic('big', [{ id: 'small' }]);
      project.writeEpic('small', [{ id: 'tiny' }]);
      project.writeEpic('tiny', [{ id: 'big' }]);
    },
    problems: [{ code: 'cycle', file: EPIC, place: 'Epics', says: 'big → small → tiny → big.' }],
  },
  {
    name: 'an epic that contains itself',
    arrange: (project) => project.writeEpic('big', [{ id: 'big' }]),
    problems: [{ code: 'cycle', file: EPIC, place: 'Epics', says: 'big → big.' }],
  },
  {
    name: 'a task blocked by itself',
    arrange: tasksOf({ a: ['a'] }),
    problems: [
      { code: 'self-block', file: taskFile('a'), place: taskFile('a'), says: 'task a is' },
    ],
  },
  {
    name: 'a child blocked by itself',
    arrange: epicOf({ a: ['a'] }),
    problems: [
      { code: 'self-block', file: EPIC, place: EPIC, says: 'child a is blocked by itself' },
    ],
  },
];

describe.each([
  ['ids that stand for two things', DOUBLES],
  ['ids that stand for nothing', UNKNOWN],
  ['what waits for itself', CIRCLES],
])('saga check names %s, and the other stories still show', (_, cases) => {
  test.each(cases)('$name', async ({ arrange, problems }) => {
    await using project = await createTempProject();
    project.writeStory(GOOD_STORY);
    arrange(project);
    await expectProblems(project, problems);
  });
});

test.each([['list'], ['status'], ['tree'], ['graph']])(
  'saga %s comes to an end with circles everywhere, and shows every story',
  async (command) => {
    await using project = await createTempProject();
    project.writeStory('knot', { epic: 'big' }, [
      { id: 'a', blockedBy: ['b'] },
      { id: 'b', blockedBy: ['a'] },
    ]);
    project.writeStory('twist', { epic: 'small' });
    project.writeEpic('big', [
      { id: 'small', blockedBy: ['knot'] },
      { id: 'knot', blockedBy: ['small'] },
    ]);
    project.writeEpic('small', [{ id: 'big' }, { id: 'twist' }]);

    const { code, stdout, stderr } = await project.saga([command]);

    expect(code).toBe(0);
    expect(stdout).toContain('knot');
    expect(stdout).toContain('twist');
    expect(stderr).toContain('Epics contain each other in a circle: big → small → big.');
  },
);

test('a story whose file carries the id of another one is never shown with that one’s state', async () => {
  await using project = await createTempProject();
  project.writeStory(GOOD_STORY, { title: 'The good one' });
  project.write('stories/bad/story.json', { ...buildStory(GOOD_STORY), title: 'The bad one' });

  const { stdout } = await project.saga(['show', 'bad', '--json']);

  expect(JSON.parse(stdout).story).toMatchObject({
    title: 'The bad one',
    home: '.saga/stories/bad',
    progress: { completed: 0, total: 0 },
  });
});
