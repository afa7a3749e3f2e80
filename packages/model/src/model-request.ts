import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { type Conversation, readConversation } from './conversation.ts';
import { isObject } from './json.ts';

/** One request as it was recorded, so that a test can assert what the model was shown. */
export interface ModelRequest {
  kind: 'turn' | 'side-question' | 'count-tokens' | 'malformed' | 'unknown';
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** As sent; a text if it is not JSON. */
  body: unknown;
  conversation: Conversation;
}

export async function readRequest(request: IncomingMessage): Promise<ModelRequest> {
  const { method = '', url = '', headers } = request;
  const path = new URL(url, 'http://127.0.0.1').pathname;
  const body = parseBody(await readText(request));
  const conversation = readConversation(body);
  return {
    kind: decideKind(method, path, body, conversation),
    method,
    path,
    headers,
    body,
    conversation,
  };
}

function decideKind(
  method: string,
  path: string,
  body: unknown,
  conversation: Conversation,
): ModelRequest['kind'] {
  const counts = path === '/v1/messages/count_tokens';
  if (method !== 'POST' || !(counts || path === '/v1/messages')) return 'unknown';
  if (!isObject(body)) return 'malformed';
  if (counts) return 'count-tokens';
  return conversation.isSideQuestion ? 'side-question' : 'turn';
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A probe of the address may have no body at all; what came is kept for whoever asserts on it.
    return text;
  }
}
