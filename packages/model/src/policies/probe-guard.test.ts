import { expect, test } from 'vitest';
import type { Call, Conversation } from '../conversation.ts';
import type { Policy } from '../turn.ts';
import { probeGuard } from './probe-guard.ts';

const TOOLS = ['Bash', 'Write'];
const PROBE = {
  id: '1',
  tool: 'Write',
  input: { file_path: '/p/trees/probe' },
  result: { text: 'refused', isError: true },
};
const OTHER: Call = { id: '2', tool: 'Bash', input: { command: 'true' } };

function talk(callsSincePrompt: readonly Call[], more: Partial<Conversation> = {}): Conversation {
  const shown = { model: '', system: '', prompt: 'Go.', cwd: '/p/trees/x', isSideQuestion: false };
  return { ...shown, tools: TOOLS, calls: callsSincePrompt, callsSincePrompt, ...more };
}

/** Tells how many calls the policy behind it sees. */
const behind: Policy = ({ callsSincePrompt }) => ({ text: `sees ${callsSincePrompt.length}` });
const probing = probeGuard(behind, 'probe');

test('first of all it tries to write beside the worktree', async () => {
  expect(await probing(talk([]))).toMatchObject({
    calls: [{ tool: 'Write', input: { file_path: '/p/trees/probe' } }],
  });
});

test.each<[string, Conversation, string]>([
  ['once it has tried', talk([PROBE]), 'sees 0'],
  ['and later', talk([PROBE, OTHER]), 'sees 1'],
  ['when something else came first', talk([OTHER]), 'sees 1'],
  ['without a way to write', talk([], { tools: ['Bash'] }), 'sees 0'],
  ['where nobody says where it is', talk([], { cwd: undefined }), 'sees 0'],
  [
    'when that was a file of another name',
    talk([{ ...PROBE, input: { file_path: '/p/trees/x/my-probe' } }]),
    'sees 1',
  ],
])('%s it does as the policy behind it', async (_, conversation, text) => {
  expect(await probing(conversation)).toEqual({ text });
});

test('a prompt later it tries again: a session may have had a guard, and lost it', async () => {
  const again = await probing(talk([], { calls: [PROBE, OTHER] }));
  expect(again).toHaveProperty('calls');
});
