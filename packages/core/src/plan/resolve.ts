import { existsSync } from 'node:fs';
import { Epic } from '@saga-ai/types/plan/epic';
import { isId } from '@saga-ai/types/plan/ids';
import { loadJsonFile } from '../files/json-file.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { notFound } from './not-found.ts';
import { type LoadedStory, loadStory } from './stories.ts';

export type Item = { kind: 'epic'; epic: Epic } | ({ kind: 'story' } & LoadedStory);

/** Loads the epic or the story with this id. */
export function loadItem(paths: Paths, id: string): Item {
  // Only a valid id becomes a path, so nothing outside the project is ever opened.
  if (!isId(id)) throw notFound(paths, id);
  const file = epicFile(paths, id);
  if (existsSync(file)) return { kind: 'epic', epic: loadJsonFile(paths.root, file, Epic).value };
  return { kind: 'story', ...loadStory(paths, id) };
}
