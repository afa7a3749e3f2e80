import { readFileSync, writeSync } from 'node:fs';

/** What the client tells a hook, as far as ours look at it. */
export interface HookInput {
  cwd?: string;
  tool_name?: string;
  tool_input?: Record<string, unknown>;
  tool_response?: { taskId?: unknown; statusChange?: { from?: unknown; to?: unknown } };
}

/** One line. Not through the stream objects of the process: they take longer to set up than the hook to run. */
export function say(target: 1 | 2, line: string): void {
  writeSync(target, `${line}\n`);
}

/** Throws when it is not what a hook is told. */
export function readHookInput(): HookInput {
  const value: unknown = JSON.parse(readFileSync(0, 'utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('the input is no object');
  }
  return value as HookInput;
}
