import type { GuardQuestion, GuardWire } from '../wires.ts';
import { listAccesses } from './accesses.ts';
import { GUARD_PROGRAM } from './guard-program.ts';
import { describeCall } from './stream/tool-call.ts';

/** The fields of a hook's input that SAGA reads. */
export interface HookPayload {
  hook_event_name?: string;
  tool_name?: string;
  tool_input?: Record<string, unknown>;
  tool_use_id?: string;
  tool_response?: { taskId?: unknown; statusChange?: { from?: unknown; to?: unknown } };
  cwd?: string;
}

/** Throws if the text is not the input of a hook. */
export function parseHookPayload(text: string): HookPayload {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('the input is not an object');
  }
  return value;
}

/** Throws if the payload is about neither a prompt nor a tool call. */
function readQuestion(payload: HookPayload): GuardQuestion {
  if (payload.hook_event_name === 'UserPromptSubmit') return { kind: 'prompt' };
  const { tool_name: tool, tool_use_id: id, cwd } = payload;
  const input = payload.tool_input ?? {};
  if (payload.hook_event_name !== 'PreToolUse' || typeof tool !== 'string') {
    throw new Error('it is not a tool call');
  }
  const { path } = describeCall(tool, input);
  return {
    ...{ kind: 'call', tool, input, accesses: listAccesses(tool, input) },
    ...(id === undefined ? {} : { id }),
    cwd,
    ...(path === undefined ? {} : { path }),
  };
}

/** Returns what a tool call would read, write or run, and its working folder. */
export function readHookCall({ tool_name = '', tool_input, cwd }: HookPayload) {
  return { accesses: listAccesses(tool_name, tool_input ?? {}), cwd };
}

/** Returns the task status that the call changed, or undefined if it changed none. */
export function readHookStatus({
  tool_response,
}: HookPayload): { task: string; to: string } | undefined {
  const { taskId, statusChange } = tool_response ?? {};
  if (typeof taskId !== 'string' || statusChange === undefined) return undefined;
  return { task: taskId, to: String(statusChange.to) };
}

/** Formats a denial for the client. The model sees the reason. */
export function formatDenial(reason: string) {
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason };
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
}

/** Whether an answer of the guard denies a call, as the client would read it. */
function isDenial(answer: string): boolean {
  try {
    const value = JSON.parse(answer) as Partial<ReturnType<typeof formatDenial>> | null;
    return value?.hookSpecificOutput?.permissionDecision === 'deny';
  } catch {
    // An answer that is not JSON is no denial.
    return false;
  }
}

export const guardWire: GuardWire = {
  program: GUARD_PROGRAM,
  read: (body) => readQuestion(parseHookPayload(body)),
  allow: () => ({}),
  deny: formatDenial,
  isDenial,
  buildProbe: (path) => ({
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: path, content: '' },
  }),
};
