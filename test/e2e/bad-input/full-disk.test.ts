import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saveTaskFields } from '@saga-ai/core/plan/stories';
import { describe, expect, test } from 'vitest';
import {
  createTinyProject,
  findMountRefusal,
  type TinyProject,
} from '../../rig/faults/tiny-project.ts';
import { buildStory, buildTask } from '../../rig/project/plan-files.ts';
import type { TempProject } from '../../rig/project/temp-project.ts';
import { whenSettled } from '../../rig/project/when-settled.ts';
import { type Complaint, expectRefusal, GOOD_STORY } from '../../rig/screens/expect-complaint.ts';

const EPIC = {
  ...buildStory('newepic'),
  stories: ['a', 'b', 'c', 'd', 'e'].map((id) => ({
    ...buildStory(id),
    tasks: [buildTask('one'), buildTask('two')],
  })),
};
const refusal: Complaint = { code: 'disk-full', says: '.saga', hint: 'Free some space' };

const refused = await findMountRefusal();
if (refused !== undefined) console.info(`Tests of a full disk are not run here: ${refused}`);

describe.skipIf(refused !== undefined).each<[name: string, bytesLeft: number]>([
  ['full', 0],
  ['all but full', 3 * 4096],
])('a disk that is %s', (_, bytesLeft) => {
  test.each<[name: string, args: string[]]>([
    ['saga create', ['create', '--file', 'draft.json']],
    [
      'saga journal add',
      ['journal', GOOD_STORY, 'add', '--title', 'Long', '--body', 'x'.repeat(20_000)],
    ],
    ['saga config', ['config', 'gate.verify', 'x'.repeat(20_000)]],
  ])('%s leaves what was there, and works when there is room again', async (_, args) => {
    await using project = await arrange();
    const { disk } = project;
    disk.fillBytes(bytesLeft);

    await expectRefusal(project, args, refusal);
    expect(listLeftovers(project)).toEqual([]);
    expect((await project.list()).stories).toMatchObject([{ id: GOOD_STORY, ready: true }]);

    disk.free();
    expect(await project.saga(args)).toMatchObject({ code: 0, stderr: '' });
    expect((await project.saga(['check'])).stdout).toContain('no problems');
  });
});

test.skipIf(refused !== undefined)(
  'a status that cannot be saved is an error, and the task stays whole',
  async () => {
    await using project = await arrange();
    const { disk } = project;
    disk.fillBytes();
    const before = project.plan();
    const save = () => saveTaskFields(project.paths, GOOD_STORY, 'task-1', { status: 'completed' });

    await expect(save()).rejects.toMatchObject({
      code: 'disk-full',
      message: expect.stringContaining('good/task-1.json'),
    });
    expect(project.plan()).toEqual(before);

    disk.free();
    await save();
    expect(project.json('stories/good/task-1.json')).toMatchObject({ status: 'completed' });
  },
);

test.skipIf(refused !== undefined).each<[name: string, args: string[]]>([
  ['saga create', ['create', '--file', 'draft.json']],
  ['saga journal add', ['journal', GOOD_STORY, 'add', '--title', 'A note']],
  ['saga config', ['config', 'worker.model', 'sonnet']],
])('%s on a disk that takes no more files', async (_, args) => {
  await using project = await arrange();
  const { disk } = project;
  disk.fillNames();
  await expectRefusal(project, args, refusal);
  disk.free();
  expect(await project.saga(args)).toMatchObject({ code: 0, stderr: '' });
});

test.skipIf(refused !== undefined)(
  'variables for a worker that do not fit on the disk are not left there in part',
  async () => {
    await using project = await arrange();
    const { disk, paths } = project;
    disk.fillBytes(2 * 4096);
    const env = { SAGA_SESSION_DIR: '.saga/sessions', KEY: 'secret'.repeat(5000) };
    const { code, stderr } = await project.saga(['run', GOOD_STORY], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('[disk-full]') });
    expect(readdirSync(join(paths.saga, 'sessions'))).toEqual([]);
  },
);

test.skipIf(refused !== undefined)('the first command ever, on a full disk', async () => {
  await using project = await createTinyProject();
  const { disk } = project;
  project.writeStory(GOOD_STORY);
  disk.fillBytes();
  const args = ['journal', GOOD_STORY, 'add', '--title', 'A note'];

  await expectRefusal(project, args, refusal);

  disk.free();
  expect(await project.saga(args)).toMatchObject({ code: 0, stderr: '' });
  expect(project.read('../.git/saga/runs/.gitignore')).toBe('*\n');
});

test.skipIf(refused !== undefined)(
  'saga list on a full disk leaves no temp file behind',
  async () => {
    await using project = await arrange();
    const { disk } = project;
    await project.saga(['list']);
    project.writeStory('another');
    // What changed within the last moments is not remembered, so nothing would be written.
    await whenSettled(project.paths.saga);
    disk.fillBytes();

    expect((await project.list()).stories).toMatchObject([{ id: 'another' }, { id: GOOD_STORY }]);
    expect(listLeftovers(project)).toEqual([]);
  },
);

/** A project whose `.saga` is a disk of its own, with one story on it, and was written to before. */
async function arrange(): Promise<TinyProject> {
  const project = await createTinyProject();
  project.write('config.json', {});
  project.writeStory(GOOD_STORY);
  await project.saga(['journal', GOOD_STORY, 'add', '--title', 'First']);
  writeFileSync(join(project.root, 'draft.json'), JSON.stringify(EPIC));
  return project;
}

function listLeftovers(project: TempProject): string[] {
  return project.tree().filter((path) => /\.tmp$|^runs\/(locks|staging)\/./.test(path));
}
