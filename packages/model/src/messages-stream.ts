import type { Block, Message } from './message.ts';

export interface StreamEvent {
  type: string;
  [field: string]: unknown;
}

/** Returns one message as the events of a stream, in small pieces as the API sends them. */
export function* streamMessage(message: Message, pings = 0): Generator<StreamEvent> {
  yield {
    type: 'message_start',
    message: {
      ...message,
      content: [],
      stop_reason: null,
      usage: { ...message.usage, output_tokens: 0 },
    },
  };
  for (let sent = 0; sent < pings; sent++) yield { type: 'ping' };
  for (const [index, block] of message.content.entries()) {
    yield { type: 'content_block_start', index, content_block: emptied(block) };
    for (const delta of deltasOf(block)) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: message.usage,
  };
  yield { type: 'message_stop' };
}

export function formatEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function emptied(block: Block): Block {
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
}

function deltasOf(block: Block): object[] {
  return block.type === 'text'
    ? pieces(block.text).map((text) => ({ type: 'text_delta', text }))
    : pieces(JSON.stringify(block.input)).map((text) => ({
        type: 'input_json_delta',
        partial_json: text,
      }));
}

/** Splits a text in two between code points, because half a surrogate pair is not valid UTF-8. */
function pieces(text: string): string[] {
  const characters = Array.from(text);
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle), characters.slice(middle)]
    .map((part) => part.join(''))
    .filter(Boolean);
}
