import { join } from 'node:path';
import { deriveInbox } from '@saga-ai/types/screens/inbox';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { loadOverview } from '../overview/overview.ts';
import { loadSessionRecord } from '../records/session-records.ts';
import { runEpicSession } from './epic-session.ts';

test('after its scheduler has ended, a story that it could not start still waits for you, with the reason', async () => {
  using it = createProject({ remote: null });
  it.story('cart', { epic: 'shop' }, { one: {} });
  it.epic('shop', { cart: [] });
  commitAll(it.gitIn, it.root, 'Plan');
  const session = 'saga-epic-shop-1700000000000';
  const end = await runEpicSession({
    ...it.worker({ pullRequest: { mode: 'off' } }),
    ...{ epicId: 'shop', session, timestamp: 1_700_000_000_000, tmux: false },
    outputFile: join(it.folder, 'shop.jsonl'),
    launcher: {
      async start() {
        throw new Error('tmux is away.');
      },
    },
    options: { jobs: 1, failFast: false, noWait: true, flags: {} },
    listen: () => {},
  });
  expect(end).toMatchObject({ kind: 'needs-you', cause: { kind: 'stuck', stories: ['cart'] } });
  expect(loadSessionRecord(it.paths, session)).toMatchObject({
    outcome: 'needs-you',
    troubles: [{ item: 'cart', reason: 'not started: tmux is away.', state: 'ready' }],
  });
  const { stories, epics } = await loadOverview(it.paths, it.env);
  expect(deriveInbox(stories)).toMatchObject([
    { story: 'cart', reasons: ['not started: tmux is away.'], next: 'saga run cart' },
  ]);
  expect(epics).toMatchObject([{ id: 'shop', state: 'needs you' }]);
});
