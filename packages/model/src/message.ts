import { randomUUID } from 'node:crypto';
import { costToTokens } from './price.ts';
import type { Turn, Usage } from './turn.ts';

/** The message of the assistant in the format of the Messages API. */
export interface Message {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: Block[];
  stop_reason: 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal';
  stop_sequence: null;
  usage: MessageUsage;
}

export type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown };

export interface MessageUsage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

export function buildMessage(turn: Turn, model: string): Message {
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: buildContent(turn),
    stop_reason: decideStopReason(turn),
    stop_sequence: null,
    usage: buildUsage(turn.usage ?? {}, model),
  };
}

function buildContent({ text, calls = [], fault }: Turn): Block[] {
  if (fault && 'kind' in fault && fault.kind === 'refusal') return [];
  return [
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...calls.map(({ tool, input }) => ({
      type: 'tool_use' as const,
      // Ids must be unique: the client drops a call whose id it knows from an earlier, resumed session.
      id: newId('toolu'),
      name: tool,
      input,
    })),
  ];
}

function decideStopReason({ calls = [], fault }: Turn): Message['stop_reason'] {
  if (fault && 'kind' in fault) {
    if (fault.kind === 'refusal') return 'refusal';
    if (fault.kind === 'max-tokens') return 'max_tokens';
  }
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}

function buildUsage(usage: Usage, model: string): MessageUsage {
  const paid = usage.costUsd === undefined ? 0 : costToTokens(usage.costUsd, model);
  return {
    input_tokens: usage.inputTokens ?? 0,
    output_tokens: usage.outputTokens ?? paid,
    cache_read_input_tokens: usage.cacheReadTokens ?? 0,
    cache_creation_input_tokens: usage.cacheWriteTokens ?? 0,
  };
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}
