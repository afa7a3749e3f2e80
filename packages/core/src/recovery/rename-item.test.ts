import { existsSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { epicFile, mainStoryFolder } from '../project/paths.ts';
import { renameItem } from './rename-item.ts';

function createShop(): Project {
  const it = createProject();
  for (const id of ['model', 'api', 'page']) it.story(id, { epic: 'shop' });
  it.epic('shop', { model: [], api: ['model'], page: ['api', 'model'] });
  return it;
}

const rename = (it: Project, from: string, to: string) => renameItem(it.paths, from, to, it.env);
const json = (it: Project, path: string) => JSON.parse(it.read(path));

test('a story has its new id in its own file and wherever the plan names it', async () => {
  using it = createShop();
  expect(await rename(it, 'model', 'base')).toEqual([
    '.saga/stories/base/story.json',
    '.saga/epics/shop.json',
  ]);
  expect(json(it, '.saga/stories/base/story.json')).toMatchObject({ id: 'base', epic: 'shop' });
  expect(existsSync(mainStoryFolder(it.paths, 'model'))).toBe(false);
  expect(json(it, '.saga/epics/shop.json').children).toMatchObject([
    { id: 'base', blockedBy: [] },
    { id: 'api', blockedBy: ['base'] },
    { id: 'page', blockedBy: ['api', 'base'] },
  ]);
});

test('an epic has its new id in its stories too', async () => {
  using it = createShop();
  await rename(it, 'shop', 'store');
  expect(existsSync(epicFile(it.paths, 'shop'))).toBe(false);
  expect(json(it, '.saga/epics/store.json').id).toBe('store');
  for (const id of ['model', 'api', 'page']) {
    expect(json(it, `.saga/stories/${id}/story.json`).epic).toBe('store');
  }
});

test('a rename that was killed after its first step is finished by the next one', async () => {
  using it = createShop();
  renameSync(mainStoryFolder(it.paths, 'model'), mainStoryFolder(it.paths, 'base'));
  await rename(it, 'model', 'base');
  expect(json(it, '.saga/stories/base/story.json').id).toBe('base');
  expect(json(it, '.saga/epics/shop.json').children[1].blockedBy).toEqual(['base']);
});

test.each([
  ['an id that is none', 'model', 'Model!', 'invalid-id', 'cannot be an id'],
  ['an id that is taken', 'model', 'api', 'already-exists', 'The id api is already in use.'],
  ['a story that is not there', 'gone', 'there', 'not-found', 'gone'],
  ['a name that leads elsewhere', '../model', 'there', 'not-found', 'model'],
])('%s is refused, and nothing changes', async (_, from, to, code, message) => {
  using it = createShop();
  const before = it.read('.saga/epics/shop.json');
  await expect(rename(it, from, to)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
  expect(it.read('.saga/epics/shop.json')).toBe(before);
  expect(existsSync(mainStoryFolder(it.paths, 'model'))).toBe(true);
});

test('once work has begun the id stays: by its branch, here or on the remote, or its evidence', async () => {
  using it = createShop();
  it.git('branch', 'story/model');
  await expect(rename(it, 'model', 'base')).rejects.toMatchObject({
    code: 'in-flight',
    message: 'model has begun: it has the branch story/model, which names it.',
  });
  it.git('push', '-q', 'origin', 'story/model');
  it.git('branch', '-q', '-D', 'story/model');
  await expect(rename(it, 'model', 'base')).rejects.toThrow('the branch origin/story/model');
  it.write('.saga/stories/api/evidence.json', '{}');
  await expect(rename(it, 'api', 'rest')).rejects.toThrow('it has evidence');
});
