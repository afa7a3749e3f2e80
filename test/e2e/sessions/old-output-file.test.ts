import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogAnswer } from '@saga-ai/types/screens/dashboard';
import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createShop, endedSession } from '../../rig/project/shop.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';

const time = '2026-01-01T10:00:00Z';
const message = (type: string, ...content: object[]) => ({ type, message: { content } });
const call = { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'npm test' } };
const back = { type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'Exit code 1' };

/** As workers wrote it when the fields of a run's events were only in the client's own lines. */
const OLD = [
  { type: 'worker:start', story: 'pay', session: 'saga-story-pay-1', pid: 1 },
  { type: 'run:start', cycle: 1, model: 'opus', run: 'r' },
  { type: 'run:system', claude: { type: 'system', subtype: 'init', model: 'opus', tools: [] } },
  {
    ...{ type: 'run:tool', tool: 'Bash npm test', tokens: 5 },
    claude: message('assistant', { type: 'text', text: 'I run the tests.' }, call),
  },
  { type: 'run:result', claude: message('user', back) },
  { type: 'guard:denied', tool: 'Write', input: { file_path: '/x' }, reason: 'it is outside' },
  { type: 'once:known', to: 'an older worker' },
  {
    ...{ type: 'worker:end', kind: 'needs-you', reason: 'open blocker: Which?', exitCode: 3 },
    ...{ cycles: 1, tokens: 5, costUsd: 0, elapsedMs: 1000 },
  },
];

test('an output file of an older version is still shown, in the terminal and on the page', async () => {
  using plan = createShop();
  const outputFile = join(plan.root, 'old.jsonl');
  writeFileSync(outputFile, OLD.map((event) => `${JSON.stringify({ time, ...event })}\n`).join(''));
  plan.write('.git/saga/runs/sessions/saga-story-pay-1.json', { ...endedSession(1), outputFile });

  const { stdout } = await runProgram(SAGA, ['logs', 'pay'], { cwd: plan.root });
  const lines = stdout.split('\n').map((line) => line.replace(/^[\d:]+ +/, ''));
  expect(lines.map((line) => line.trim())).toEqual([
    '● run 1          model opus · guarded',
    '“I run the tests.”',
    'Bash npm test',
    '✗ Exit code 1',
    '! denied         Write: it is outside',
    '! needs you      open blocker: Which? · 1 run · 1 s · 5 tokens',
    '',
  ]);

  const it = await openDashboard({ paths: plan.paths });
  try {
    const { events } = await it.json<LogAnswer>('/api/sessions/saga-story-pay-1/log?from=0');
    expect(events).toMatchObject([
      { type: 'worker:start' },
      { type: 'run:start' },
      { type: 'run:init', model: 'opus' },
      { type: 'run:text', text: 'I run the tests.' },
      { type: 'run:tool', id: 'a', kind: 'command', command: 'npm test' },
      { type: 'run:result', id: 'a', isError: true, text: 'Exit code 1' },
      { type: 'guard:denied', reason: 'it is outside' },
      { type: 'log:unread', of: 'once:known', fields: { to: 'an older worker' } },
      { type: 'worker:end', reason: 'open blocker: Which?' },
    ]);
  } finally {
    await it.dashboard.close();
  }
});
