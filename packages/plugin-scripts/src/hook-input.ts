import { readFileSync, writeSync } from 'node:fs';
import { type HookPayload, parseHookPayload } from '@saga-ai/core/agents/claude/guard-wire';

/** One line. Not through the stream objects of the process: they take longer to set up than the hook to run. */
export function say(target: 1 | 2, line: string): void {
  writeSync(target, `${line}\n`);
}

/** Throws when it is not what a hook is told. */
export function readHookInput(): HookPayload {
  return parseHookPayload(readFileSync(0, 'utf8'));
}
