import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../../rig/client/stage.ts';
import { command, type Hook } from './hooks-settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: payloads are foreign, and tests look into them freely
export type Payload = Record<string, any>;

/** A command hook that notes what it was given, and what it has noted. */
export interface HookLog {
  hook: Hook;
  payloads(): Payload[];
}

export function createHookLog(stage: Stage): HookLog {
  const file = join(stage.home, 'hook-payloads');
  return {
    // In one write: several hooks may run at once.
    hook: command(`payload=$(cat); printf '%s\\n' "$payload" >> ${file}`),
    payloads: () => readLines(file).map((line) => JSON.parse(line)),
  };
}

/** A command hook that notes one line, with what the shell expands in it. */
export interface LineLog {
  hook(line: string): Hook;
  lines(): string[];
}

export function createLineLog(stage: Stage): LineLog {
  const file = join(stage.home, 'hook-lines');
  return {
    hook: (line) => command(`echo "${line}" >> ${file}`),
    lines: () => readLines(file),
  };
}

function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** `PreToolUse:Bash`, `Stop`: enough to tell an order of events. */
export function nameOf({ hook_event_name, tool_name }: Payload): string {
  return tool_name ? `${hook_event_name}:${tool_name}` : hook_event_name;
}
