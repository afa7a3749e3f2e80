/** One hook of the settings, loose on purpose: tests also write what no client knows. */
export type Hook = Record<string, unknown>;

export interface HookSettings {
  hooks: Record<string, { matcher?: string; hooks: Hook[] }[]>;
}

export function command(line: string, more: Hook = {}): Hook {
  return { type: 'command', command: line, ...more };
}

/** Settings with these hooks on one event, for every tool if no matcher is given. */
export function hooksOn(event: string, hooks: Hook | Hook[], matcher = ''): HookSettings {
  return { hooks: { [event]: [{ matcher, hooks: [hooks].flat() }] } };
}

/** What a PreToolUse hook says, as a command prints it or a server answers it. */
export function decision(permissionDecision: string, more: object = {}): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } };
}

export function denial(permissionDecisionReason: string): object {
  return decision('deny', { permissionDecisionReason });
}

/** A command hook that prints the answer; no answer of ours has a single quote in it. */
export function says(answer: object): Hook {
  return command(`echo '${JSON.stringify(answer)}'`);
}

/** The guard of most tests here: whatever it is asked, it refuses. */
export const REFUSES = command('echo refused by the guard >&2; exit 2');
