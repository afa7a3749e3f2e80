import { mkdirSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { decideScope } from '@saga-ai/core/scope/scope';
import type { LogAnswer } from '@saga-ai/types/screens/dashboard';
import { test } from 'vitest';
import { HOSTILE_PARTS } from '../../rig/faults/hostile-parts.ts';
import { createShop, endedSession } from '../../rig/project/shop.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';
import { expectFast, expectWithin } from '../measure/budget.ts';

test('the guard reads commands of 100,000 hostile parts, processor time', () => {
  const place = {
    ...{ worktree: '/w', storyId: 'cart', readable: [], homeFolder: '/home/u' },
    agent: { statusTool: 'TaskUpdate', refuse: () => undefined },
  };
  const start = process.cpuUsage();
  for (const part of HOSTILE_PARTS) {
    const command = part.repeat(100_000);
    decideScope({ accesses: [{ kind: 'command', command }], cwd: '/w' }, place, (path) => path);
  }
  const { user, system } = process.cpuUsage(start);
  expectFast((user + system) / 1000, 1500);
});

test('saga run hands the terminal back', async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  it.story('cart', {}, { one: {} });
  await expectWithin(3000, () => it.saga(['run', 'cart'], { env: tmux.environment }));
  await it.saga(['stop', 'cart'], { env: tmux.environment });
});

test('saga logs of a session of 150 MB', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  await it.saga(['worker', 'cart']);
  const [file = ''] = it.outputFiles();
  const event = { time: new Date().toISOString(), type: 'run:text' };
  const line = `${JSON.stringify({ ...event, claude: { text: 'x'.repeat(1000) } })}\n`;
  writeFileSync(file, line.repeat(150_000));
  await expectWithin(2000, () => it.saga(['logs', 'cart']));
});

test('any part of a log of 3 GB, from the dashboard', async () => {
  using plan = createShop();
  const outputFile = join(plan.root, 'out.jsonl');
  const end = '{"type":"run:text"}\n';
  const size = 3 * 1024 ** 3;
  writeFileSync(outputFile, end);
  truncateSync(outputFile, size);
  writeSync(openSync(outputFile, 'r+'), `\n${end}`, size - end.length - 1);
  plan.write('.git/saga/runs/sessions/saga-story-pay-1.json', { ...endedSession(1), outputFile });
  await using it = await openDashboard({ paths: plan.paths });
  const path = '/api/sessions/saga-story-pay-1/log?from=-1&bytes=65536';
  await expectWithin(500, () => it.json<LogAnswer>(path));
});

test('saga doctor does not wait for a gh that hangs', async () => {
  await using it = await createWorkshop();
  const folder = join(it.home, '../hanging');
  mkdirSync(folder);
  const script = '#!/bin/sh\n[ "$1" = --version ] && echo "gh version 2.23.0" && exit\nsleep 600\n';
  writeFileSync(join(folder, 'gh'), script, { mode: 0o755 });
  const env = { PATH: `${folder}:${it.environment.PATH}` };
  await expectWithin(8000, () => it.saga(['doctor'], { env }));
});
