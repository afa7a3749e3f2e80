import type { Environment } from '../../processes/run.ts';
import type { AgentAccount, AgentInvocation } from '../agent.ts';
import { knownSettings } from './account/account-settings.ts';
import { formatAnswerSchema } from './answer-schema.ts';
import { bypassProxy } from './run-environment.ts';

/** A run that only reads the folder it is started in, and answers with a value of a schema. */
export interface AskRequest {
  version: string;
  account: AgentAccount;
  model: string;
  maxUsd: number;
  schema: object;
  sessionId: string;
  /** Whether the run goes on with a conversation that exists. */
  isContinued: boolean;
  inherited: Environment;
}

/** Builds the arguments and variables of such a run. It has no tool that writes or starts anything. */
export function buildAskInvocation(request: AskRequest): AgentInvocation {
  const { version, account, model, maxUsd, schema, sessionId, isContinued, inherited } = request;
  return {
    args: [
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...['--tools', 'Read,Glob,Grep', '--permission-mode', 'dontAsk'],
      ...['--allowedTools', 'Read(./**)', '--strict-mcp-config', '--setting-sources', ''],
      ...['--settings', JSON.stringify(knownSettings(account, version))],
      ...['--json-schema', formatAnswerSchema(schema)],
      ...[isContinued ? '--resume' : '--session-id', sessionId],
      ...['--model', model, '--max-budget-usd', String(maxUsd)],
    ],
    env: {
      ...account.env,
      ...bypassProxy({ ...inherited, ...account.env }),
      DISABLE_AUTOUPDATER: '1',
    },
  };
}
