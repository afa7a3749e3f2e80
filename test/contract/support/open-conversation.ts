import { isObject, listOf } from '@saga-ai/model/json';
import type { ClientEvent, RunningClient } from '../../rig/client/client-run.ts';
import type { StagedRun } from '../../rig/client/stage.ts';

/** A command that runs until the file `go` exists, and a moment longer. */
export const waitForGo = {
  tool: 'Bash',
  input: { command: 'for i in $(seq 1000); do [ -e go ] && break; sleep 0.1; done; sleep 1' },
};

export const isToolCall = ({ type, message }: ClientEvent) =>
  type === 'assistant' && JSON.stringify(message).includes('tool_use');

export const isResult = ({ type }: ClientEvent) => type === 'result';

/** The client took a message up. */
export const isReplay = (text: string) => (event: ClientEvent) =>
  event.type === 'user' && event.isReplay === true && JSON.stringify(event.message).includes(text);

/** Waits for the result that comes after the nth one. */
export async function nthResult({ seen }: RunningClient, nth: number): Promise<ClientEvent> {
  let count = 0;
  const known = new Set<ClientEvent>();
  return await seen((event) => {
    if (!isResult(event) || known.has(event)) return false;
    known.add(event);
    count += 1;
    return count === nth;
  });
}

/** What the nth request to the model has after the last words of the model itself, as text. */
export function newsOf({ model }: Pick<StagedRun, 'model'>, nth: number): string {
  const turns = model.requests.filter((request) => request.kind === 'turn');
  const { body } = turns[nth] ?? {};
  const messages = isObject(body) ? listOf(body.messages) : [];
  const last = messages.findLastIndex((it) => isObject(it) && it.role === 'assistant');
  return JSON.stringify(messages.slice(last + 1));
}
