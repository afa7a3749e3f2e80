import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import type { Plan } from '../../rig/project/plan.ts';
import { createShop } from '../../rig/project/shop.ts';
import { startSilentWorker } from '../../rig/worker/silent-worker.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';

/** `saga watch` on a real terminal, started by a shell that says how it ended. */
function watchOnTerminal({ root }: Plan) {
  const tmux = createTmuxServer();
  const saga = `env NO_COLOR=1 LANG=C.UTF-8 ${process.execPath} ${SAGA} watch`;
  const shell = `cd ${root} && ${saga}; echo ended with $?; exec cat`;
  tmux.run('-u', 'new-session', '-d', '-x', '80', '-y', '24', 'sh', '-c', shell);
  const lines = () => tmux.run('capture-pane', '-p').replace(/\n$/, '').split('\n');
  return {
    tmux,
    lines,
    type: (...keys: string[]) => tmux.run('send-keys', ...keys),
    write: (text: string) => tmux.run('send-keys', '-l', text),
    /** Waits until a line fits. */
    async shows(line: RegExp) {
      const found = () => lines().some((it) => line.test(it)) || lines().join('\n');
      await expect.poll(found, { interval: 50 }).toBe(true);
    },
    /** Whether the terminal is as a shell has it: its own screen, with a cursor. */
    isPlain: () => tmux.run('display', '-p', '#{alternate_on} #{cursor_flag}').trim() === '0 1',
    [Symbol.dispose]: () => tmux[Symbol.dispose](),
  };
}

const WAITS = { for: 'usage-limit', until: '2030-01-01T14:05:00.000Z', reason: 'limit' };

test('saga watch shows what runs and what asks, and its keys look into, stop, answer and quit', async () => {
  using plan = createShop();
  using worker = await startSilentWorker(plan, 'api');
  using terminal = watchOnTerminal(plan);
  await terminal.shows(/ · 1 running · 1 needs you · cost \$0\.61 +\d\d:\d\d:\d\d$/);
  await terminal.shows(/^▸ ● api +0\/2 {2}Writing endpoint tests · Bash npm test +\S.* \$0\.61$/);
  await terminal.shows(/^ {2}! pay +1\/2 {2}Which sandbox\?$/);
  expect(terminal.lines()).toHaveLength(24);
  expect(terminal.isPlain()).toBe(false);

  // The log of the worker, as it grows.
  terminal.type('Enter');
  await terminal.shows(/● run 1 {10}model opus/);
  const event = { time: new Date().toISOString(), type: 'run:text', text: 'Now the tests.' };
  appendFileSync(worker.outputFile, `${JSON.stringify(event)}\n`);
  await terminal.shows(/“Now the tests\.”$/);
  terminal.type('Escape');
  await terminal.shows(/^↑ ↓ choose/);

  // What a worker waits for, and an estimate, come from its record.
  const file = `.git/saga/runs/sessions/${worker.session}.json`;
  const record = JSON.parse(plan.read(file));
  plan.write(file, { ...record, waiting: WAITS, isCostEstimated: true });
  await terminal.shows(/^▸ ● api .*waits for a usage limit until 2030-0.* ~\$0\.61$/);
  await terminal.shows(/^ {2}waits for a usage limit until 2030-01-01 14:05 UTC$/);

  terminal.type('s');
  await terminal.shows(/^Stop api\? What it did is kept\. y \/ n$/);
  terminal.type('n');
  await terminal.shows(/^↑ ↓ choose/);

  terminal.type('t');
  terminal.write('Use money.ts');
  await terminal.shows(/^Tell api: Use money\.ts█$/);
  terminal.type('Enter');
  await terminal.shows(/^sent to the run of api; it reads it after its current step$/);

  terminal.type('Down', 'a');
  await terminal.shows(/^Which sandbox\? → █$/);
  terminal.write('Stripe, tesq');
  terminal.type('BSpace');
  terminal.write('t keys');
  await terminal.shows(/→ Stripe, test keys█$/);
  terminal.type('Enter');
  await terminal.shows(/^answered; to resume: saga run pay$/);
  expect(plan.read('.saga/stories/pay/journal.md')).toMatch(
    /Resolution: Which sandbox\?\n\nStripe, test keys/,
  );
  await terminal.shows(/ · 1 running · cost ~\$0\.61 /);

  terminal.tmux.run('resize-window', '-x', '130', '-y', '30');
  await terminal.shows(/last tool/);
  await expect.poll(() => terminal.lines().at(-1)).toBe('answered; to resume: saga run pay');
  expect(terminal.lines()).toHaveLength(30);

  terminal.type('q');
  await terminal.shows(/^ended with 0$/);
  expect(terminal.isPlain()).toBe(true);
});

test.each(['TERM', 'HUP'])('SIG%s gives the terminal back', async (signal) => {
  using plan = createShop();
  using terminal = watchOnTerminal(plan);
  await terminal.shows(/^▸ ! pay/);
  const shell = terminal.tmux.run('display', '-p', '#{pane_pid}').trim();
  const { stdout } = await import('node:child_process').then(({ spawnSync }) =>
    spawnSync('pgrep', ['-P', shell], { encoding: 'utf8' }),
  );
  process.kill(Number(stdout.trim()), `SIG${signal}`);
  await terminal.shows(/^ended with 0$/);
  expect(terminal.isPlain()).toBe(true);
});

test('without a terminal saga watch says what to use instead', async () => {
  using plan = createShop();
  const { code, stdout, stderr } = await runProgram(SAGA, ['watch'], { cwd: plan.root });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/saga watch needs a terminal.*saga status --json/s);
});
