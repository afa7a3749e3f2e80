import { describe, expect, test } from 'vitest';
import { createTempProject } from '../../rig/project/temp-project.ts';
import {
  type Complaint,
  expectProblems,
  expectRefusal,
  GOOD_STORY,
} from '../../rig/screens/expect-complaint.ts';

const FILE = '.saga/config.json';

describe('saga check and saga config name what is wrong in config.json', () => {
  test.each<[name: string, config: unknown, field: string, says: string, hint: string]>([
    ['an unknown group', { wroker: {} }, 'wroker', 'is not a known key', 'Did you mean worker?'],
    [
      'a key in lower case',
      { worker: { maxcycles: 3 } },
      'worker.maxcycles',
      'is not a known key',
      'Did you mean worker.maxCycles?',
    ],
    [
      'a key without its group',
      { maxCycles: 3 },
      'maxCycles',
      'is not a known key',
      'Did you mean worker.maxCycles?',
    ],
    [
      'a key nobody knows',
      { worker: { zzz: 1 } },
      'worker.zzz',
      'is not a known key',
      'saga config lists every key',
    ],
    [
      'a text for a number',
      { worker: { maxCycles: 'ten' } },
      'worker.maxCycles',
      '"ten"',
      'saga config',
    ],
    [
      'a number below its limit',
      { worker: { maxCycles: 0 } },
      'worker.maxCycles',
      'at least 1',
      'saga config',
    ],
    [
      'a half number',
      { ceiling: { files: 1.5 } },
      'ceiling.files',
      'a whole number',
      'saga config',
    ],
    [
      'a choice that is none',
      { worker: { mode: 'fast' } },
      'worker.mode',
      'story, task',
      'saga config',
    ],
    ['a value for a group', { worker: 5 }, 'worker', 'an object', 'It is a group: "worker": {'],
  ])('%s', async (_, config, field, says, hint) => {
    await using project = await createTempProject();
    project.writeStory(GOOD_STORY);
    project.write('config.json', config);
    const complaint: Complaint = { code: 'invalid-config', says: [FILE, `"${field}"`, says], hint };
    await expectProblems(project, [complaint]);
    await expectRefusal(project, ['run', GOOD_STORY], complaint);
    const { code, stderr } = await project.saga(['config']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`"${field}"`) });
  });

  test('all faults are told at once', async () => {
    await using project = await createTempProject();
    project.writeStory(GOOD_STORY);
    project.write('config.json', { wroker: {}, ceiling: { files: 0 } });
    await expectProblems(project, [
      { code: 'invalid-config', file: FILE, field: 'ceiling.files' },
      { code: 'invalid-config', file: FILE, field: 'wroker' },
    ]);
  });

  test('a single fault has its file and field for scripts, too', async () => {
    await using project = await createTempProject();
    project.writeStory(GOOD_STORY);
    project.write('config.json', { wroker: {} });
    await expectProblems(project, [{ code: 'invalid-config', file: FILE, field: 'wroker' }]);
  });

  test('saga config shows what counts beside what is wrong, and mends it value by value', async () => {
    await using project = await createTempProject();
    project.write('config.json', {
      worker: { maxCycles: 'ten', model: 'sonnet' },
      gate: { protectedFiles: [1] },
    });
    const shown = await project.saga(['config']);
    expect(shown.code).toBe(1);
    expect(shown.stderr).toContain('To set it: saga config worker.maxCycles');
    expect(shown.stdout).toMatch(/^worker\.maxCycles +10 +default$/m);
    expect(shown.stdout).toMatch(/^worker\.model +"sonnet" +file$/m);
    const first = await project.saga(['config', 'worker.maxCycles', '5']);
    expect(first).toMatchObject({ code: 1, stdout: 'worker.maxCycles  5  file\n' });
    expect(first.stderr).not.toContain('maxCycles');
    const second = await project.saga(['config', 'gate.protectedFiles', 'a.txt']);
    expect(second).toMatchObject({ code: 0, stderr: '' });
  });

  test('half a file', async () => {
    await using project = await createTempProject();
    project.writeStory(GOOD_STORY);
    project.write('config.json', '{ "worker": {');
    const says = [FILE, 'line 1: unexpected end'];
    const complaint: Complaint = { code: 'invalid-file', says };
    await expectProblems(project, [complaint]);
    await expectRefusal(project, ['config', 'worker.model', 'sonnet'], complaint);
  });
});

describe('saga config refuses to write', () => {
  test.each<[name: string, args: string[], says: string, hint: string]>([
    [
      'an unknown key',
      ['worker.maxcycle', '3'],
      'No setting "worker.maxcycle"',
      'Did you mean worker.maxCycles?',
    ],
    ['a wrong value', ['worker.maxCycles', 'ten'], 'worker.maxCycles', 'saga schema config'],
    ['a wrong choice', ['worker.mode', 'fast'], 'story, task', 'saga schema config'],
  ])('%s', async (_, args, says, hint) => {
    await using project = await createTempProject();
    await expectRefusal(project, ['config', ...args], { code: 'invalid-config', says, hint });
  });

  test.each([
    ['an unknown key', { wroker: { model: 'opus' } }],
    ['a value where a group should be', { worker: 'opus' }],
  ])('into a file with %s', async (_, config) => {
    await using project = await createTempProject();
    project.write('config.json', config);
    await expectRefusal(project, ['config', 'worker.model', 'sonnet'], { code: 'invalid-config' });
  });
});

test('a wrong value in the environment is named by its variable', async () => {
  await using project = await createTempProject();
  await expectRefusal(
    project,
    ['config'],
    { code: 'invalid-config', says: ['SAGA_WORKER_MAX_CYCLES', '"ten"'] },
    { env: { SAGA_WORKER_MAX_CYCLES: 'ten' } },
  );
});

test('a file with a byte order mark is read, and can be written', async () => {
  await using project = await createTempProject();
  project.write('config.json', '\uFEFF{\n  "worker": { "mode": "task" }\n}\n');
  const saved = await project.saga(['config', 'worker.model', 'sonnet', '--json']);
  expect(saved).toMatchObject({ code: 0, stderr: '' });
  const { stdout } = await project.saga(['config', 'worker.mode', '--json']);
  expect(JSON.parse(stdout).settings).toMatchObject([{ key: 'worker.mode', value: 'task' }]);
});
