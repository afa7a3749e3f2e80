import { expect, test } from 'vitest';
import type { Call, Conversation } from '../conversation.ts';
import type { ToolCall, Turn } from '../turn.ts';
import { type WalkOptions, walkTasks } from './walk-tasks.ts';

const TOOLS = ['Bash', 'Read', 'Write', 'TaskList', 'TaskGet', 'TaskUpdate'];

function talk(calls: readonly Call[], tools = TOOLS): Conversation {
  const prompt = 'Work. The journal is `.saga/stories/s/journal.md`.';
  const cwd = '/repo';
  const shown = { model: '', system: '', prompt, cwd, tools, isSideQuestion: false };
  return { ...shown, calls, callsSincePrompt: calls };
}

type Result = string | { error: string };

/** Plays a whole run against tools that answer by a function, and tells it line by line. */
async function walk(options: WalkOptions, answer: (call: ToolCall) => Result, tools = TOOLS) {
  const policy = walkTasks(options);
  const calls: Call[] = [];
  const lines: string[] = [];
  for (let turns = 0; turns < 60; turns++) {
    const turn: Turn = await policy(talk(calls, tools));
    const [call] = turn.calls ?? [];
    if (!call) return [...lines, `"${turn.text}"`];
    const given = answer(call);
    const isError = typeof given !== 'string';
    calls.push({
      id: `${turns}`,
      ...call,
      result: { text: isError ? given.error : given, isError },
    });
    lines.push(`${call.tool} ${Object.values(call.input).join(' ')}`.trim());
  }
  throw new Error('the walk does not end');
}

test('looks for deferred tools once, and says so when there are none', async () => {
  const search = 'ToolSearch select:TaskList,TaskGet,TaskUpdate';
  const end = '"I cannot work without TaskList, TaskGet, TaskUpdate."';
  expect(await walk({}, () => '', ['Bash', 'ToolSearch'])).toEqual([search, end]);
  expect(await walk({}, () => '', ['Bash'])).toEqual([end]);
});

test('takes pending tasks first, then those left over, and none that is blocked', async () => {
  const list = [
    '#old [in_progress] Old',
    '#late [pending] Late (me) [blocked by #new, #ghost]',
    '#new [pending] New [pending] thing',
    '#done [completed] Done',
  ];
  const lines = await walk({}, ({ tool }) => (tool === 'TaskList' ? list.join('\n') : 'ok'));
  expect(lines).toEqual([
    'TaskList',
    'TaskGet new',
    'TaskUpdate new in_progress',
    'Write /repo/rehearsed/new.md # New [pending] thing',
    expect.stringContaining("git commit -m 'new: New [pending] thing'"),
    'TaskUpdate new completed',
    'TaskList',
    'TaskGet old',
    'TaskUpdate old in_progress',
    'Write /repo/rehearsed/old.md # Old',
    expect.stringContaining('git commit'),
    'TaskUpdate old completed',
    'TaskList',
    '"1 of 4 tasks are completed; left: old, late, new."',
  ]);
});

test('goes on without what is denied, and leaves a task whose command fails', async () => {
  const rehearsals = {
    a: { write: { '/etc/x': '', 'b.txt': 'b' } },
    b: { run: ['exit 1', 'echo never'] },
  };
  const lines = await walk({ rehearsals }, ({ tool, input }) => {
    if (tool === 'TaskList') return '#a [pending] A\n#b [pending] B';
    if (input.file_path === '/etc/x') return { error: 'hook: not in scope' };
    return tool === 'Bash' ? { error: 'Exit code 1' } : 'ok';
  });
  expect(lines.filter((line) => !/^Task(List|Get)/.test(line))).toEqual([
    'TaskUpdate a in_progress',
    'Write /etc/x',
    'Write /repo/b.txt b',
    'TaskUpdate a completed',
    'TaskUpdate b in_progress',
    'Bash exit 1',
    '"0 of 2 tasks are completed; left: a, b."',
  ]);
});

test('a task that vanished is passed over', async () => {
  const lines = await walk({}, ({ tool }) =>
    tool === 'TaskList' ? '#a [pending] A' : 'Task not found',
  );
  expect(lines.slice(0, 3)).toEqual(['TaskList', 'TaskGet a', 'TaskList']);
});

test('reads a file where the client wants that before it is overwritten', async () => {
  let wasRead = false;
  const lines = await walk(
    { rehearsals: { a: { write: { x: '1', y: '2' } } } },
    ({ tool, input }) => {
      if (tool === 'TaskList') return '#a [pending] A';
      if (tool === 'Read') wasRead = true;
      const unread = tool === 'Write' && input.file_path === '/repo/x' && !wasRead;
      return unread ? { error: 'File has not been read yet.' } : 'ok';
    },
  );
  expect(lines.slice(3, 8)).toEqual([
    'Write /repo/x 1',
    'Read /repo/x',
    'Write /repo/x 1',
    'Write /repo/y 2',
    'TaskUpdate a completed',
  ]);
});

test('an open blocker ends the run, a resolved one lets the work begin', async () => {
  const rehearsals = { a: { blocker: { title: 'Which one?' }, run: ['true'] } };
  const play = (told: string) =>
    walk({ rehearsals }, ({ tool }) => {
      if (tool === 'TaskList') return '#a [pending] A\n#b [pending] B';
      return tool === 'Bash' ? told : 'ok';
    });
  const opened = await play('The blocker is open.');
  expect(opened.slice(4)).toEqual([
    'TaskUpdate a pending',
    '"Task a needs a decision: Which one?"',
  ]);
  expect(opened[3]).toContain('>> /repo/.saga/stories/s/journal.md');
  const resolved = await play('The blocker is resolved.');
  expect(resolved.slice(4, 6)).toEqual(['Bash true', 'TaskUpdate a completed']);
});

test('works by shell where there is no Write', async () => {
  const [, , , write] = await walk(
    { rehearsals: () => ({ write: { 'a/it.txt': "it's" } }) },
    ({ tool }) => (tool === 'TaskList' ? '#a [pending] A' : 'ok'),
    TOOLS.filter((tool) => tool !== 'Write'),
  );
  expect(write).toBe(`Bash mkdir -p /repo/a && printf %s 'it'\\''s' > /repo/a/it.txt`);
});
