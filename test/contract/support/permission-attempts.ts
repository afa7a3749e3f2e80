import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '@saga-ai/model';
import type { ClientEvent } from '../../rig/client/client-run.ts';
import { type Stage, type StagedRun, TOOLS } from '../../rig/client/stage.ts';

/** What an agent may try, from harmless to harmful; each leaves a trace that can be looked for. */
const ATTEMPTS = [
  'write inside',
  'write outside',
  'redirect outside',
  'touch inside',
  'npm test',
  'node',
  'git status',
] as const;
type Attempt = (typeof ATTEMPTS)[number];

export interface Attempts {
  run: StagedRun;
  /** Those that took effect; `git status` has none and counts when the model saw its output. */
  done: Attempt[];
  /** Those that are in permission_denials. */
  denied: Attempt[];
}

/** Tries everything under the given permission flags, in one run. */
export async function attemptAll(
  stage: Stage,
  flags: string[],
  env: Record<string, string> = {},
): Promise<Attempts> {
  const outside = join(stage.home, 'outside');
  const inside = (name: string) => join(stage.repo, name);
  const traces: Record<Exclude<Attempt, 'git status'>, string> = {
    'write inside': inside('written'),
    'write outside': `${outside}-written`,
    'redirect outside': `${outside}-redirected`,
    'touch inside': inside('touched'),
    'npm test': inside('tested'),
    node: inside('by-node'),
  };
  const calls: Record<Attempt, ToolCall> = {
    'write inside': write(traces['write inside']),
    'write outside': write(traces['write outside']),
    'redirect outside': bash(`echo x > ${traces['redirect outside']}`),
    'touch inside': bash('touch touched'),
    'npm test': bash('npm test'),
    node: bash(`node -e "require('fs').writeFileSync('by-node', 'x')"`),
    'git status': bash('git status --short'),
  };
  stage.write('package.json', JSON.stringify({ scripts: { test: 'echo x > tested' } }));
  const run = await stage.run({
    bareArgs: [...UNGUARDED, ...flags],
    env,
    turns: [...ATTEMPTS.map((attempt) => ({ calls: [calls[attempt]] })), { text: 'Done.' }],
  });
  const seen = run.model.requests.at(-1)?.conversation.calls.at(-1)?.result;
  const isDenied = ({ tool, input }: ToolCall) =>
    run.result?.permission_denials.some(
      (it: ClientEvent) =>
        it.tool_name === tool &&
        it.tool_input.command === input.command &&
        it.tool_input.file_path === input.file_path,
    );
  return {
    run,
    done: ATTEMPTS.filter((it) =>
      it === 'git status' ? seen?.text.includes('package.json') : existsSync(traces[it]),
    ),
    denied: ATTEMPTS.filter((it) => isDenied(calls[it])),
  };
}

/** As a worker runs, but without a word about permissions. */
export const UNGUARDED = [
  '-p',
  '--output-format',
  'stream-json',
  '--verbose',
  '--strict-mcp-config',
  '--setting-sources',
  'project',
  '--tools',
  TOOLS,
];

/** Bypassing permissions as root wants this, and nothing else does. */
export const SANDBOXED: Record<string, string> =
  process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {};

function write(path: string): ToolCall {
  return { tool: 'Write', input: { file_path: path, content: 'x' } };
}

function bash(command: string): ToolCall {
  return { tool: 'Bash', input: { command } };
}
