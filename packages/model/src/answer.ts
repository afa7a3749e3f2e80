import type { ServerResponse } from 'node:http';
import { messageOf } from '@saga-ai/core/errors';
import { sendJson, sendMessage, sendStatusFault } from './deliver.ts';
import { isObject } from './json.ts';
import { buildMessage } from './message.ts';
import type { ModelRequest } from './model-request.ts';
import type { Turn, Usage } from './turn.ts';
import type { Turns } from './turns.ts';

/** A client that asks for a summary repeats the request if the tag is missing. */
const SIDE_ANSWER = '<summary>A scripted model has nothing to add.</summary>';

export interface Answering {
  turns: Turns;
  usage: Usage | undefined;
  refuse(forMs: number | undefined): void;
}

export async function answer(
  request: ModelRequest,
  response: ServerResponse,
  by: Answering,
): Promise<void> {
  switch (request.kind) {
    case 'count-tokens':
      return sendJson(response, 200, { input_tokens: estimateTokens(request.body) });
    case 'side-question':
      return sendTurn({ text: SIDE_ANSWER }, request, response, by);
    case 'malformed':
      return sendStatusFault(response, { status: 400, message: 'The body is not a JSON object.' });
    case 'unknown':
      return sendStatusFault(response, { status: 404, message: `Nothing at ${request.path}.` });
    case 'turn':
      return answerTurn(request, response, by);
  }
}

async function answerTurn(
  request: ModelRequest,
  response: ServerResponse,
  by: Answering,
): Promise<void> {
  let turn: Turn;
  try {
    turn = await by.turns.take(request.conversation);
  } catch (error) {
    return sendStatusFault(response, { status: 400, message: messageOf(error) });
  }
  return sendTurn(turn, request, response, by);
}

async function sendTurn(
  turn: Turn,
  { body, conversation }: ModelRequest,
  response: ServerResponse,
  { usage, refuse }: Answering,
): Promise<void> {
  const { fault } = turn;
  if (fault && 'status' in fault) return sendStatusFault(response, fault);
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'refused-connection') return refuse(fault.forMs);
  const message = buildMessage({ ...(usage && { usage }), ...turn }, conversation.model);
  const stream = isObject(body) && body.stream === true;
  return sendMessage(response, message, stream, fault);
}

/** An estimate: four characters are about one token. */
function estimateTokens(body: unknown): number {
  return Math.ceil(JSON.stringify(body).length / 4);
}
