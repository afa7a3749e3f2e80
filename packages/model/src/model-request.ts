import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { type Conversation, readConversation } from './conversation.ts';
import { isObject } from './json.ts';

/** One recorded request, so that a test can check what the model was shown. */
export interface ModelRequest {
  kind: 'turn' | 'side-question' | 'count-tokens' | 'malformed' | 'unknown';
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it was sent; a text if it is not JSON. */
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
    // A client that only tests the address may send no body. The text is kept for tests.
    return text;
  }
}
