import { expect, test } from 'vitest';
import { buildPaths } from '../../project/paths.ts';
import {
  addChangedPath,
  createChanges,
  isEmpty,
  isFolderOfFiles,
  mergeChanges,
  type ProjectChanges,
} from './project-changes.ts';

const paths = buildPaths('/p');

test.each<[path: string, changes: Partial<ProjectChanges>]>([
  ['stories/cart/one.json', { stories: new Set(['cart']) }],
  ['stories/cart', { stories: new Set(['cart']) }],
  ['stories/cart/.one.json.7.tmp', {}],
  ['stories/.staged', {}],
  ['epics/shop.json', { epics: true }],
  ['epics/.shop.json.tmp', {}],
  ['config.json', { config: true }],
  ['runs/sessions/saga-story-a-1.json', { sessions: new Set(['saga-story-a-1']) }],
  ['runs/locks/worker-cart', { workers: new Set(['cart']) }],
  ['runs/locks/worker-cart/host~1~2~x', { workers: new Set(['cart']) }],
  ['runs/locks/worker-cart.for.host~1~2~x', {}],
  ['runs/locks/story-cart', {}],
  ['runs/sessions', { all: true }],
  ['runs/held/cart', { workers: new Set(['cart']) }],
  ['runs', {}],
  ['stories', {}],
  ['runs/drafts/3.json', { drafts: true }],
  ['runs/drafts/.3.json.7.tmp', {}],
  ['runs/other', {}],
  ['cache/overview.json', {}],
])('%s', (path, expected) => {
  const changes = createChanges();
  addChangedPath(changes, paths, `/p/.saga/${path}`);
  expect(changes).toEqual({ ...createChanges(), ...expected });
  expect(isEmpty(changes)).toBe(Object.keys(expected).length === 0);
});

test('changes are put together', () => {
  const into = { ...createChanges(), stories: new Set(['a']) };
  mergeChanges(into, { ...createChanges(), stories: new Set(['a', 'b']), epics: true });
  mergeChanges(into, createChanges());
  expect(into).toEqual({ ...createChanges(), stories: new Set(['a', 'b']), epics: true });
});

test.each([
  ['stories/cart', true],
  ['stories/cart/one.json', false],
  ['runs/sessions', true],
  ['epics/shop.json', false],
])('%s may be a new folder: %j', (path, is) => {
  expect(isFolderOfFiles(paths, `/p/.saga/${path}`)).toBe(is);
});
