import { readFileSync, writeSync } from 'node:fs';
import { type HookPayload, parseHookPayload } from '@saga-ai/core/agents/claude/guard-wire';

/**
 * Writes one line. Avoids the stream objects of the process: setting them up takes longer than the
 * whole hook.
 */
export function say(target: 1 | 2, line: string): void {
  writeSync(target, `${line}\n`);
}

/** Throws if standard input is not the input of a hook. */
export function readHookInput(): HookPayload {
  return parseHookPayload(readFileSync(0, 'utf8'));
}
