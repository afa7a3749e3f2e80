import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildStory, buildTask } from '../../rig/project/plan-files.ts';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';
import { type Complaint, expectProblems, GOOD_STORY } from '../../rig/screens/expect-complaint.ts';

interface Case {
  name: string;
  arrange(project: TempProject): void;
  problems: Complaint[];
}

const STORY = '.saga/stories/bad/story.json';
const TASK = '.saga/stories/bad/task-1.json';
const JOURNAL = '.saga/stories/bad/journal.md';
const EPIC = '.saga/epics/big.json';

const text = (value: unknown) => JSON.stringify(value, null, 2);
const bad =
  (fields: object, taskFields: object = {}) =>
  (project: TempProject) =>
    project.writeStory('bad', fields, [taskFields]);
const badEpic = (fields: object) => (project: TempProject) =>
  project.write('epics/big.json', {
    id: 'big',
    title: 'Big',
    description: '',
    children: [],
    ...fields,
  });
const raw = (path: string, content: string) => (project: TempProject) => {
  project.writeStory('bad');
  project.write(path, content);
};
const folderAt = (path: string) => (project: TempProject) => {
  project.writeStory('bad');
  rmSync(join(project.paths.saga, path), { force: true });
  mkdirSync(join(project.paths.saga, path), { recursive: true });
};

const NOT_JSON: Case[] = [
  {
    name: 'malformed JSON',
    arrange: raw('stories/bad/task-1.json', '{\n  "id": "task-1",\n  nope\n}\n'),
    problems: [{ code: 'invalid-file', file: TASK, says: 'line 3: unexpected "n"' }],
  },
  {
    name: 'half a file',
    arrange: raw('stories/bad/task-1.json', text(buildTask('task-1')).slice(0, 60)),
    problems: [{ code: 'invalid-file', file: TASK, says: 'line 4', hint: 'git checkout -- ' }],
  },
  {
    name: 'an empty file',
    arrange: raw('stories/bad/story.json', ''),
    problems: [{ code: 'invalid-file', file: STORY, says: 'line 1: unexpected end' }],
  },
  {
    name: 'zeros, as a power cut leaves them',
    arrange: raw('epics/big.json', '\0'.repeat(512)),
    problems: [{ code: 'invalid-file', file: EPIC, says: 'line 1' }],
  },
  {
    name: 'two JSON values in one file',
    arrange: raw('epics/big.json', '{}\n{}\n'),
    problems: [{ code: 'invalid-file', file: EPIC, says: 'line 2: unexpected "{"' }],
  },
];

const WRONG_TYPES: Case[] = [
  {
    name: 'a list instead of an object',
    arrange: raw('stories/bad/story.json', '[]'),
    problems: [{ code: 'invalid-file', file: STORY, says: 'must be an object' }],
  },
  {
    name: 'an unknown status',
    arrange: bad({}, { status: 'doing' }),
    problems: [
      {
        code: 'invalid-file',
        file: TASK,
        field: 'status',
        says: 'pending, in_progress, completed',
      },
    ],
  },
  {
    name: 'a text instead of a list',
    arrange: bad({}, { blockedBy: 'task-2' }),
    problems: [{ code: 'invalid-file', file: TASK, field: 'blockedBy', says: 'an array' }],
  },
  {
    name: 'a missing field',
    arrange: bad({ description: undefined }),
    problems: [{ code: 'invalid-file', file: STORY, field: 'description', says: 'is missing' }],
  },
  {
    name: 'a number among texts',
    arrange: bad({ labels: ['ui', 7] }),
    problems: [{ code: 'invalid-file', file: STORY, field: 'labels[1]', says: 'a string' }],
  },
  {
    name: 'a child without its list',
    arrange: badEpic({ children: [{ id: GOOD_STORY }] }),
    problems: [{ code: 'invalid-file', file: EPIC, field: 'children[0].blockedBy' }],
  },
  {
    name: 'two faults in one file, both told',
    arrange: bad({}, { subject: '', needsTests: 'yes' }),
    problems: [
      { code: 'invalid-file', file: TASK, field: 'subject', says: 'must not be empty' },
      { code: 'invalid-file', file: TASK, field: 'needsTests', says: 'a boolean' },
    ],
  },
  {
    name: 'an empty title of a story',
    arrange: bad({ title: '' }),
    problems: [{ code: 'invalid-file', file: STORY, field: 'title', says: 'must not be empty' }],
  },
  {
    name: 'an empty title of an epic',
    arrange: badEpic({ title: '' }),
    problems: [{ code: 'invalid-file', file: EPIC, field: 'title', says: 'must not be empty' }],
  },
];

const WRONG_NAMES: Case[] = [
  {
    name: 'a task whose id is not its file name',
    arrange: (project) => {
      project.writeStory('bad');
      project.write('stories/bad/task-1.json', buildTask('task-9'));
    },
    problems: [{ code: 'id-mismatch', file: TASK, field: 'id', says: ['"task-9"', 'task-1'] }],
  },
  {
    name: 'a story whose id is not its folder name',
    arrange: (project) => project.write('stories/bad/story.json', buildStory('badly')),
    problems: [{ code: 'id-mismatch', file: STORY, field: 'id', says: ['"badly"', 'bad'] }],
  },
  {
    name: 'an epic whose id is not its file name',
    arrange: badEpic({ id: 'bigger' }),
    problems: [{ code: 'id-mismatch', file: EPIC, field: 'id', says: ['"bigger"', 'big'] }],
  },
  {
    name: 'a folder in upper case',
    arrange: (project) => project.write('stories/Bad/story.json', buildStory('bad')),
    problems: [
      { code: 'invalid-id', file: '.saga/stories/Bad', says: '"Bad"', hint: 'lower-case' },
      { code: 'id-mismatch', file: '.saga/stories/Bad/story.json', field: 'id', says: '"bad"' },
    ],
  },
  {
    name: 'a task in upper case',
    arrange: (project) => {
      project.writeStory('bad');
      project.write('stories/bad/Task.json', buildTask('Task'));
    },
    problems: [{ code: 'invalid-file', file: '.saga/stories/bad/Task.json', field: 'id' }],
  },
  {
    name: 'an epic in upper case',
    arrange: (project) => project.writeEpic('Big', []),
    problems: [{ code: 'invalid-file', file: '.saga/epics/Big.json', field: 'id', says: '"Big"' }],
  },
];

const WRONG_KINDS: Case[] = [
  {
    name: 'a folder where a task should be',
    arrange: folderAt('stories/bad/task-1.json'),
    problems: [{ code: 'unreadable-file', file: TASK, says: 'is a folder' }],
  },
  {
    name: 'a folder where story.json should be',
    arrange: folderAt('stories/bad/story.json'),
    problems: [{ code: 'unreadable-file', file: STORY, says: 'is a folder' }],
  },
  {
    name: 'a folder where the journal should be',
    arrange: folderAt('stories/bad/journal.md'),
    problems: [{ code: 'unreadable-file', file: JOURNAL, says: 'cannot be read' }],
  },
  {
    name: 'a folder where an epic should be',
    arrange: folderAt('epics/big.json'),
    problems: [{ code: 'unreadable-file', file: EPIC, says: 'is a folder' }],
  },
  {
    name: 'a folder where the configuration should be',
    arrange: folderAt('config.json'),
    problems: [{ code: 'unreadable-file', says: '.saga/config.json is a folder' }],
  },
  {
    name: 'a file where a story should be',
    arrange: (project) => project.write('stories/bad', 'notes\n'),
    problems: [{ code: 'unreadable-file', file: '.saga/stories/bad', says: 'is a file' }],
  },
  {
    name: 'a folder without its story.json',
    arrange: (project) => project.write('stories/bad/task-1.json', buildTask('task-1')),
    problems: [{ code: 'unreadable-file', file: STORY, place: 'stories/bad has no story.json' }],
  },
  {
    name: 'a file where the epics should be',
    arrange: (project) => {
      rmSync(project.paths.epics, { recursive: true });
      project.write('epics', '');
    },
    problems: [{ code: 'unreadable-file', file: '.saga/epics', says: 'cannot be listed' }],
  },
];

describe.each([
  ['what is no JSON', NOT_JSON],
  ['what does not fit its schema', WRONG_TYPES],
  ['what has a wrong name', WRONG_NAMES],
  ['what is no file, or no folder', WRONG_KINDS],
])('saga check names %s, and the other stories still show', (_, cases) => {
  test.each(cases)('$name', async ({ arrange, problems }) => {
    await using project = await createTempProject();
    project.writeStory(GOOD_STORY);
    arrange(project);
    await expectProblems(project, problems);
    expect(project.tree().filter((path) => path.endsWith('.tmp'))).toEqual([]);
  });
});
