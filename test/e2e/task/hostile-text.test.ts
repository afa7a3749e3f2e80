import { describe, expect, test } from 'vitest';
import { createTaskList } from '../../rig/client/temp-task-list.ts';
import { killProgram } from '../../rig/programs/kill-program.ts';
import { SAGA } from '../../rig/programs/run-program.ts';

/** Clears the screen, sets the title, writes the clipboard, hides text, and starts a line of its own. */
const HOSTILE = [
  '\u001b[2J\u001b[31mred\u001b[0m',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u009b2J',
  '\rover\b\b',
  '\u202eevil\u2066',
  '\n✓ forged  line',
].join(' ');

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const STEERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const createLoud = () =>
  createTaskList({
    1: {
      subject: HOSTILE,
      description: HOSTILE,
      activeForm: HOSTILE,
      owner: HOSTILE,
      status: 'in_progress',
      metadata: { labels: [HOSTILE], claim: { pid: 1, host: HOSTILE } },
      blocks: ['2'],
    },
    2: { subject: HOSTILE, blockedBy: ['1', HOSTILE] },
    3: { subject: HOSTILE, metadata: { last_outcome: 'failed', attempt_count: HOSTILE } },
    4: { subject: HOSTILE, status: HOSTILE },
    [HOSTILE]: { subject: 'A name like that' },
  });

describe('no text of a native task steers the terminal or forges a line', () => {
  test.each([
    'list',
    'ready',
    'blocked',
    'status',
    'count',
    'tree',
    'graph',
    'graph --format mermaid',
    'graph --format dot',
    'search red',
    'show 2',
    'claim 1',
    'claim 1 --steal',
    'show 4',
    'pop',
    'release 1',
    'close 1',
    'reopen 1',
    'label 1 x',
    'update 1 --meta a=b',
  ])('saga task %s', async (line) => {
    using it = createLoud();
    const { stdout, stderr } = await it.saga(line.split(' '));
    expect(stdout + stderr).toMatch(/\w/);
    expect(findSteering(stdout + stderr)).toEqual([]);
    const forged = `${stdout}${stderr}`.split('\n').filter((text) => text.startsWith('✓ forged'));
    expect(forged).toEqual([]);
  });

  test('saga task watch --until done', async () => {
    using it = createLoud();
    const args = ['task', 'watch', '--until', 'done'];
    // It would never end: some of these tasks can never be done.
    const untilAllAreTold = async (printed: () => string) =>
      expect.poll(() => printed().split('\n').length).toBeGreaterThan(3);
    const lines = await killProgram(SAGA, args, untilAllAreTold, it.config, it.env);
    expect(findSteering(lines.join('\n'))).toEqual([]);
    expect(lines.filter((text) => text.startsWith('✓ forged'))).toEqual([]);
  });

  test.each([
    ['show', HOSTILE],
    ['close', HOSTILE],
    ['list', '--list', HOSTILE],
    ['create', HOSTILE, '--label', HOSTILE, '--body', HOSTILE],
    ['dep', 'add', '1', HOSTILE],
    ['claim', '3', '--owner', HOSTILE],
    ['list', '--state', HOSTILE],
    [HOSTILE],
  ])('a text from the command line %#', async (...args) => {
    using it = createLoud();
    const { stdout, stderr } = await it.saga(args);
    expect(stdout + stderr).toMatch(/\w/);
    expect(findSteering(stdout + stderr)).toEqual([]);
  });

  test('scripts get it escaped, and whole', async () => {
    using it = createLoud();
    const { stdout } = await it.saga(['show', '1', '--json']);
    expect(findSteering(stdout)).toEqual([]);
    expect(JSON.parse(stdout).task).toMatchObject({ subject: HOSTILE, owner: HOSTILE });
  });
});

/** The lines that would steer it, escaped: a failed test must not do what it warns of. */
function findSteering(output: string): string[] {
  const lines = output.split('\n').filter((line) => STEERS.test(line));
  return lines.map((line) =>
    line.replace(/[^\x20-\x7e]/g, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`),
  );
}
