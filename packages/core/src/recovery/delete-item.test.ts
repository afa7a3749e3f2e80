import { existsSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { epicFile, mainStoryFolder } from '../project/paths.ts';
import { deleteItem } from './delete-item.ts';
import { restoreFromTrash } from './restore.ts';

function createShop(): Project {
  const it = createProject();
  for (const id of ['model', 'api', 'page']) it.story(id, { epic: 'shop' });
  it.epic('shop', { model: [], api: ['model'], page: ['api'] });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  return it;
}

const remove = (it: Project, id: string, rewire = false) =>
  deleteItem(it.paths, id, it.env, { rewire });
const children = (it: Project) => JSON.parse(it.read('.saga/epics/shop.json')).children;

test('a story that others wait for is deleted only if they are told what to wait for', async () => {
  using it = createShop();
  await expect(remove(it, 'api')).rejects.toMatchObject({
    code: 'in-flight',
    message: 'page waits for api, in epic shop.',
    hint: expect.stringContaining('Let it wait for model instead: saga delete api --rewire'),
  });
  expect(existsSync(mainStoryFolder(it.paths, 'api'))).toBe(true);
  expect((await remove(it, 'api', true)).rewired).toEqual(['page']);
  expect(existsSync(mainStoryFolder(it.paths, 'api'))).toBe(false);
  expect(children(it)).toMatchObject([{ id: 'model' }, { id: 'page', blockedBy: ['model'] }]);
});

test('what was deleted is in the trash and comes back with its place in the epic', async () => {
  using it = createShop();
  const before = it.read('.saga/stories/api/story.json');
  const plan = children(it);
  await remove(it, 'api', true);
  await restoreFromTrash(it.paths, 'api', it.env);
  expect(it.read('.saga/stories/api/story.json')).toBe(before);
  expect(children(it)).toHaveLength(plan.length);
  const back = children(it).find((child: { id: string }) => child.id === 'api');
  expect(back).toMatchObject({ blockedBy: ['model'] });
});

test('a delete that was killed before the epic was written is finished by the next one', async () => {
  using it = createShop();
  rmSync(mainStoryFolder(it.paths, 'page'), { recursive: true });
  expect((await remove(it, 'page')).discarded).toEqual({ sessions: 0 });
  expect(children(it).map((child: { id: string }) => child.id)).toEqual(['model', 'api']);
  await expect(remove(it, 'page')).rejects.toMatchObject({ code: 'not-found' });
});

test('an epic goes only when it is empty', async () => {
  using it = createShop();
  await expect(remove(it, 'shop')).rejects.toMatchObject({
    message: 'Epic shop still has model, api, page.',
  });
  for (const id of ['page', 'api', 'model']) await remove(it, id);
  await remove(it, 'shop');
  expect(existsSync(epicFile(it.paths, 'shop'))).toBe(false);
  await expect(remove(it, '../shop')).rejects.toMatchObject({ code: 'not-found' });
});
