import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { buildErrorBody, type Fault, type StatusFault } from './fault.ts';
import type { Message } from './message.ts';
import { formatEvent, streamMessage } from './messages-stream.ts';

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

export function sendStatusFault(response: ServerResponse, fault: StatusFault): void {
  const { status, message = `Scripted fault ${status}.`, retryAfter, headers = {} } = fault;
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, buildErrorBody(status, message));
}

/** Sends the message whole or as a stream, as requested. A fault damages it on the way. */
export async function sendMessage(
  response: ServerResponse,
  message: Message,
  stream: boolean,
  fault: Fault | undefined,
): Promise<void> {
  const spoilt = fault && 'kind' in fault ? fault : undefined;
  const pauseMs = spoilt?.kind === 'slow-stream' ? (spoilt.pauseMs ?? 200) : 0;
  const pings = spoilt?.kind === 'slow-stream' ? (spoilt.pings ?? 0) : 0;
  const chunks = stream
    ? [...streamMessage(message, pings)].map(formatEvent)
    : [JSON.stringify(message)];
  response.writeHead(200, {
    'content-type': stream ? 'text/event-stream' : 'application/json',
    'cache-control': 'no-store',
  });
  if (spoilt?.kind === 'cut-stream') {
    const half = stream ? chunks.slice(0, Math.ceil(chunks.length / 2)).join('') : message.id;
    // The connection is cut only after these bytes were sent.
    response.write(half, () => response.destroy());
    return;
  }
  for (const chunk of chunks) {
    if (response.destroyed) return;
    if (pauseMs > 0) await pause(pauseMs, undefined, { ref: false });
    response.write(chunk);
  }
  response.end();
}
