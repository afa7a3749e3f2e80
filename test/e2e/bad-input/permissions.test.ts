import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeMode, makeReadOnly, NOBODY } from '../../rig/faults/nobody.ts';
import { createTempProject, TempProject } from '../../rig/project/temp-project.ts';
import {
  type Complaint,
  expectProblems,
  expectRefusal,
  GOOD_STORY,
} from '../../rig/screens/expect-complaint.ts';

describe('what may not be read is named, and the other stories still show', () => {
  test.each<[name: string, path: string, mode: number, complaint: Complaint]>([
    [
      'a task',
      'stories/bad/task-1.json',
      0o000,
      { code: 'unreadable-file', says: ['bad/task-1.json', 'permission denied'], hint: 'chmod' },
    ],
    [
      'story.json',
      'stories/bad/story.json',
      0o000,
      { code: 'unreadable-file', says: ['bad/story.json', 'permission denied'], hint: 'chmod' },
    ],
    [
      'a journal',
      'stories/bad/journal.md',
      0o000,
      { code: 'unreadable-file', says: ['bad/journal.md', 'permission denied'] },
    ],
    [
      'an epic',
      'epics/big.json',
      0o000,
      { code: 'unreadable-file', says: ['epics/big.json', 'permission denied'], hint: 'chmod' },
    ],
    [
      'the configuration',
      'config.json',
      0o000,
      { code: 'unreadable-file', says: ['config.json', 'permission denied'] },
    ],
    [
      'a story’s folder',
      'stories/bad',
      0o000,
      { code: 'unreadable-file', says: ['stories/bad', 'permission denied'], hint: 'ls -ld' },
    ],
    [
      'the folder of the epics',
      'epics',
      0o000,
      { code: 'unreadable-file', says: ['.saga/epics', 'permission denied'], hint: 'ls -ld' },
    ],
  ])('%s', async (_, path, mode, complaint) => {
    await using project = await arrange();
    using _mode = changeMode(project, path, mode);
    await expectProblems(project, [complaint], NOBODY);
  });

  test('a folder that may be listed, but not entered', async () => {
    await using project = await arrange();
    using _mode = changeMode(project, 'stories/bad', 0o644);
    await expectProblems(
      project,
      ['journal.md', 'story.json', 'task-1.json'].map((name) => ({
        code: 'unreadable-file',
        file: `.saga/stories/bad/${name}`,
      })),
      NOBODY,
    );
  });

  test('a worktree that may not be entered', async () => {
    await using project = await arrange();
    mkdirSync(join(project.paths.innerWorktrees, 'bad'), { recursive: true });
    using _mode = changeMode(project, 'worktrees/bad', 0o000);
    await expectProblems(
      project,
      [{ code: 'unreadable-file', says: '.saga/worktrees/bad' }],
      NOBODY,
    );
  });
});

describe('a project that is read-only', () => {
  const WRITES: [name: string, args: string[]][] = [
    ['saga create', ['create', '--title', 'New one', '--task', 'Do it']],
    ['saga journal add', ['journal', GOOD_STORY, 'add', '--title', 'A note']],
    ['saga config', ['config', 'worker.model', 'sonnet']],
    ['saga archive', ['archive', GOOD_STORY]],
  ];
  const refusal: Complaint = { code: 'permission-denied', says: '.git/saga', hint: 'ls -ld' };

  test.each(WRITES)('%s in a fresh checkout', async (_, args) => {
    await using project = await arrange();
    using _mode = makeReadOnly(project);
    await expectRefusal(project, args, refusal, NOBODY);
  });

  test.each(WRITES)('%s where SAGA has written before', async (_, args) => {
    await using project = await arrange();
    await project.saga(['journal', 'bad', 'add', '--title', 'First']);
    await project.saga(['create', '--title', 'Another']);
    using _mode = makeReadOnly(project);
    await expectRefusal(project, args, refusal, NOBODY);
  });

  test('saga init', async () => {
    await using project = new TempProject(mkdtempSync(join(tmpdir(), 'saga-empty-')));
    mkdirSync(join(project.root, '.git'));
    using _mode = makeReadOnly(project);
    const { code, stderr } = await project.saga(['init'], NOBODY);
    expect(code).toBe(1);
    expect(stderr).toContain('[permission-denied]');
    expect(stderr).toContain(project.root);
    expect(readdirSync(project.root)).toEqual(['.git']);
  });

  test('everything that reads goes on', async () => {
    await using project = await arrange();
    using _mode = makeReadOnly(project);
    for (const args of [
      ['list'],
      ['status'],
      ['tree'],
      ['show', GOOD_STORY],
      ['search', 'good'],
      ['check'],
    ]) {
      const { code, stdout, stderr } = await project.saga(args, NOBODY);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      expect(stdout).not.toBe('');
    }
    expect(project.tree()).not.toContain('cache/');
  });
});

describe('a single folder that is read-only, while SAGA’s own can be written', () => {
  test('saga create takes back what it had begun', async () => {
    await using project = await arrange();
    await project.saga(['create', '--title', 'Another']);
    using _modes = openRuns(project);
    await expectRefusal(
      project,
      ['create', '--title', 'New one', '--task', 'Do it'],
      { code: 'permission-denied', says: '.saga/stories', hint: 'ls -ld' },
      NOBODY,
    );
    expect(readdirSync(project.paths.staging)).toEqual([]);
    expect(readdirSync(project.paths.locks)).toEqual([]);
  });

  test('saga journal add names the file', async () => {
    await using project = await arrange();
    await project.saga(['create', '--title', 'Another']);
    using _modes = openRuns(project);
    await expectRefusal(
      project,
      ['journal', GOOD_STORY, 'add', '--title', 'A note'],
      { code: 'permission-denied', says: '.saga/stories/good/journal.md', hint: 'ls -ld' },
      NOBODY,
    );
    expect(readdirSync(project.paths.locks)).toEqual([]);
  });
});

async function arrange(): Promise<TempProject> {
  const project = await createTempProject();
  project.writeStory(GOOD_STORY);
  project.writeStory('bad');
  project.write('stories/bad/journal.md', '## Note: something\n');
  project.writeEpic('big', []);
  return project;
}

/** Everybody may write where locks and what is being created are, nobody elsewhere. */
function openRuns(project: TempProject): Disposable {
  const readOnly = makeReadOnly(project);
  const state = '../.git/saga/runs';
  for (const path of [state, `${state}/locks`, 'runs', 'runs/staging']) {
    changeMode(project, path, 0o777);
  }
  return readOnly;
}
