import type { Environment } from '../../processes/run.ts';
import type { AgentAccount, Invocation } from '../agent.ts';
import { knownSettings } from './account/account-settings.ts';
import { bypassProxy } from './run-environment.ts';

/** A run that only reads the repository and answers with a value of a schema. */
export interface ShaperRequest {
  version: string;
  account: AgentAccount;
  model: string;
  maxUsd: number;
  schema: object;
  sessionId: string;
  /** Whether the conversation goes on. */
  isLater: boolean;
  inherited: Environment;
}

/** Builds the arguments and variables of such a run. It has no tool that writes or starts anything. */
export function buildShaperInvocation(request: ShaperRequest): Invocation {
  const { version, account, model, maxUsd, schema, sessionId, isLater, inherited } = request;
  return {
    args: [
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...['--tools', 'Read,Glob,Grep', '--permission-mode', 'dontAsk'],
      ...['--allowedTools', 'Read(./**)', '--strict-mcp-config', '--setting-sources', ''],
      ...['--settings', JSON.stringify(knownSettings(account, version))],
      ...['--json-schema', JSON.stringify(schema)],
      ...[isLater ? '--resume' : '--session-id', sessionId],
      ...['--model', model, '--max-budget-usd', String(maxUsd)],
    ],
    env: {
      ...account.env,
      ...bypassProxy({ ...inherited, ...account.env }),
      DISABLE_AUTOUPDATER: '1',
    },
  };
}

export type ShaperNews =
  | { kind: 'step'; text: string }
  /** `value` is undefined if the run ended without one. */
  | { kind: 'end'; value: unknown; isError: boolean; text: string; costUsd: number };

/** Reads one line of the output of such a run. Lines that say nothing new return undefined. */
export function readShaperLine(line: string): ShaperNews | undefined {
  const event = parse(line);
  if (event.type === 'result') {
    const { structured_output: value, is_error: isError, result, total_cost_usd: cost } = event;
    return {
      ...{ kind: 'end', value, isError: isError === true },
      text: typeof result === 'string' ? result : '',
      costUsd: typeof cost === 'number' ? cost : 0,
    };
  }
  if (event.type !== 'assistant') return undefined;
  const content = fieldsOf(event.message).content;
  for (const part of Array.isArray(content) ? content.map(fieldsOf) : []) {
    if (part.type !== 'tool_use') continue;
    const { file_path, pattern, path } = fieldsOf(part.input);
    const about = [file_path, pattern, path].find((it) => typeof it === 'string') ?? '';
    const text = part.name === 'StructuredOutput' ? 'writes the plan' : `${part.name} ${about}`;
    return { kind: 'step', text };
  }
  return undefined;
}

function parse(line: string): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    // Not an event: the client may print a warning.
    return {};
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
