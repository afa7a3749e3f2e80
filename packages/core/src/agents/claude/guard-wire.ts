import type { GuardQuestion, GuardWire } from '../agent.ts';
import { listAccesses } from './accesses.ts';
import { GUARD_PROGRAM } from './guard-program.ts';
import { describeCall } from './tool-call.ts';

/** What the client tells a hook, as far as ours look at it. */
export interface HookPayload {
  hook_event_name?: string;
  tool_name?: string;
  tool_input?: Record<string, unknown>;
  tool_use_id?: string;
  tool_response?: { taskId?: unknown; statusChange?: { from?: unknown; to?: unknown } };
  cwd?: string;
}

/** Throws when it is not what a hook is told. */
export function parseHookPayload(text: string): HookPayload {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('the input is no object');
  }
  return value;
}

/** Throws when it is no question before a prompt or a call. */
export function readQuestion(payload: HookPayload): GuardQuestion {
  if (payload.hook_event_name === 'UserPromptSubmit') return { kind: 'prompt' };
  const { tool_name: tool, tool_use_id: id, cwd } = payload;
  const input = payload.tool_input ?? {};
  if (payload.hook_event_name !== 'PreToolUse' || typeof tool !== 'string') {
    throw new Error('it is no tool call');
  }
  const { path } = describeCall(tool, input);
  return {
    ...{ kind: 'call', tool, input, accesses: listAccesses(tool, input) },
    ...(id === undefined ? {} : { id }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(path === undefined ? {} : { path }),
  };
}

/** What the call of a hook would touch, and where it stands. */
export function readHookCall({ tool_name = '', tool_input, cwd }: HookPayload) {
  return { accesses: listAccesses(tool_name, tool_input ?? {}), cwd };
}

/** The status of a task that the call changed; undefined if it changed none. */
export function readHookStatus({
  tool_response,
}: HookPayload): { task: string; to: string } | undefined {
  const { taskId, statusChange } = tool_response ?? {};
  if (typeof taskId !== 'string' || statusChange === undefined) return undefined;
  return { task: taskId, to: String(statusChange.to) };
}

/** The client's form of "it may not happen"; the model is shown the reason. */
export function formatDenial(reason: string): object {
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason };
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
}

export const guardWire: GuardWire = {
  program: GUARD_PROGRAM,
  read: (body) => readQuestion(parseHookPayload(body)),
  allow: () => ({}),
  deny: formatDenial,
  isDenial: (answer) => /"permissionDecision":"deny"/.test(answer),
  buildProbe: (path) => ({
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: path, content: '' },
  }),
};
