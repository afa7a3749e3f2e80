import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTaskList, type TempTaskList } from '../../rig/client/temp-task-list.ts';
import { PLAIN_ENVIRONMENT, SAGA } from '../../rig/programs/run-program.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';

/** `saga task watch` on a real terminal of 60 columns and 12 lines. */
function watchOnTerminal({ config }: TempTaskList) {
  const tmux = createTmuxServer();
  const variables = [`CLAUDE_CONFIG_DIR=${config}`, 'NO_COLOR=1', 'LANG=C.UTF-8'];
  const command = `env ${variables.join(' ')} ${process.execPath} ${SAGA} task watch --list demo`;
  tmux.run('-u', 'new-session', '-d', '-x', '60', '-y', '12', command);
  const screen = () => tmux.run('capture-pane', '-p').trimEnd();
  return {
    screen,
    sessions: tmux.sessions,
    type: (keys: string) => tmux.run('send-keys', keys),
    async shows(expected: string) {
      await expect.poll(screen, { interval: 50 }).toBe(expected);
    },
    [Symbol.dispose]: () => tmux[Symbol.dispose](),
  };
}

test('on a terminal an outside change is shown at once', async () => {
  using it = createTaskList({ 1: { blocks: ['2'] }, 2: { blockedBy: ['1'] } });
  using terminal = watchOnTerminal(it);
  await terminal.shows(
    ['list demo  ░░░░░░░░░░░░  0/2', '  ○ 1  Do 1', '  ◌ 2  Do 2  waits for 1'].join('\n'),
  );
  await it.saga(['pop']);
  await terminal.shows(
    ['list demo  ░░░░░░░░░░░░  0/2', '  ● 1  Do 1  ada', '  ◌ 2  Do 2  waits for 1'].join('\n'),
  );
  it.write('1', { status: 'completed' });
  await terminal.shows(['list demo  ██████░░░░░░  1/2', '  ✓ 1  Do 1', '  ○ 2  Do 2'].join('\n'));
  rmSync(join(it.folder, '2.json'));
  await terminal.shows(['list demo  ████████████  1/1', '  ✓ 1  Do 1'].join('\n'));
  it.write('2', '{');
  await expect.poll(terminal.screen).toContain('2.json of the task list');
  terminal.type('C-c');
  await expect.poll(terminal.sessions).toEqual([]);
});

test('a list that is longer than the terminal keeps its head in sight', async () => {
  using it = createTaskList();
  for (let i = 1; i <= 30; i++) it.write(String(i), {});
  using terminal = watchOnTerminal(it);
  const rows = Array.from({ length: 9 }, (_, i) => `  ○ ${String(i + 1).padEnd(2)}  Do ${i + 1}`);
  await terminal.shows(
    ['list demo  ░░░░░░░░░░░░  0/30', ...rows, '  … 21 more: saga task list'].join('\n'),
  );
});

/** Elsewhere than on a terminal: its lines so far, and its end. */
function watchLines(it: TempTaskList, ...args: string[]) {
  const child = spawn(process.execPath, [SAGA, 'task', 'watch', ...args], {
    env: { ...PLAIN_ENVIRONMENT, ...it.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const closed = once(child, 'close');
  return {
    lines: () => stdout.split('\n').slice(0, -1),
    ended: async () => (await closed)[0],
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

test('elsewhere each change is a line, until all is done', async () => {
  using it = createTaskList({ a: {}, b: {} });
  await using watch = watchLines(it, '--until', 'done');
  const changes = () => watch.lines().map((line) => line.replace(/^\S+Z {2}/, ''));
  await expect.poll(changes).toHaveLength(2);
  await it.saga(['close', 'a']);
  await expect.poll(changes).toHaveLength(3);
  await it.saga(['delete', 'b']);
  expect(await watch.ended()).toBe(0);
  expect(changes()).toEqual([
    'a  new → ready  Do a',
    'b  new → ready  Do b',
    'a  ready → done  Do a',
    'b  ready → gone  Do b',
  ]);
});

test('for scripts each change is an object', async () => {
  using it = createTaskList({ a: {} });
  await using watch = watchLines(it, '--json');
  await expect.poll(watch.lines).toHaveLength(1);
  await it.saga(['claim', 'a']);
  await expect.poll(watch.lines).toHaveLength(2);
  expect(watch.lines().map((line) => JSON.parse(line))).toEqual([
    { time: expect.any(String), id: 'a', from: null, to: 'ready', owner: null },
    { time: expect.any(String), id: 'a', from: 'ready', to: 'in_progress', owner: 'ada' },
  ]);
  await sleep(400);
  expect(watch.lines()).toHaveLength(2);
});
