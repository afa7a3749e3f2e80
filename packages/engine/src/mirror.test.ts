import { Mirror } from '@saga-ai/core/fleet/mirror/mirror';
import { nameRepository } from '@saga-ai/core/fleet/repository-name';
import { openPlainGit } from '@saga-ai/core/git/plain-git';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { expect, test } from 'vitest';
import { startPostgres } from '../../../test/rig/postgres/start-postgres.ts';
import { createProject } from '../../../test/rig/project/project.ts';
import { initEngine, openEngine } from './open-engine.ts';

const session = 'saga-story-cart-1';
const record: SessionRecord = {
  ...{ version: 1, session, story: 'cart', host: 'ant.example', pid: 1, started: 1 },
  ...{ outputFile: '/their/file', tmux: false, model: 'opus', cycle: 1, tokens: 0, costUsd: 0 },
  ...{ startedAt: '2026-11-15T14:00:00Z', endedAt: '2026-11-15T15:00:00Z' },
};

test('a story whose job the engine no longer lists is brought to what the remote has', async () => {
  await using postgres = await startPostgres();
  await initEngine(postgres.url);
  const engine = await openEngine({ url: postgres.url, name: 'test', role: 'reader' });
  using it = createProject();
  const commit = (text: string) =>
    it.git('commit-tree', '-m', text, '-p', 'main', 'main^{tree}').trim();
  const [before, theirs] = [it.git('rev-parse', 'main').trim(), commit('Theirs')];
  // A branch of a person who does not use the fleet for it.
  for (const id of ['cart', 'mine']) {
    it.git('branch', `story/${id}`, before);
    it.git('push', '-q', 'origin', `${theirs}:refs/heads/story/${id}`);
  }
  const repository = nameRepository(it.origin);
  const news = { session, story: 'cart', machine: 'ant', from: 0, lines: ['{}'], record };
  await engine.news.tell(repository.key, news);
  const git = openPlainGit(it.root, it.env);
  const place = { engine, repository, paths: it.paths, git, env: it.env, remote: 'origin' };
  await new Mirror(place).pull();
  expect(await engine.jobs.list(repository.key)).toEqual([]);
  expect(it.git('rev-parse', 'story/cart').trim()).toBe(theirs);
  expect(it.git('rev-parse', 'story/mine').trim()).toBe(before);
  await engine.close();
});
