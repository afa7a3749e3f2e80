import { messageOf, type SagaError } from '@saga-ai/core/errors';
import { answer } from './answer.ts';
import { askPolicy } from './ask-policy.ts';
import { sendStatusFault } from './deliver.ts';
import type { Fault } from './fault.ts';
import { openLoopback } from './loopback.ts';
import { type ModelRequest, readRequest } from './model-request.ts';
import { playScript } from './play-script.ts';
import type { Script } from './script.ts';
import type { Policy, Usage } from './turn.ts';
import { Turns } from './turns.ts';

export type ModelOptions = ({ script: Script } | { policy: Policy }) & {
  /** The port; a free one if missing. */
  port?: number;
  /** The usage of turns that name none. If missing, a turn costs nothing. */
  usage?: Usage;
};

export interface Model extends AsyncDisposable {
  /** The value for ANTHROPIC_BASE_URL. */
  url: string;
  /** All requests, oldest first. */
  requests: readonly ModelRequest[];
  /** Errors of the script or the policy itself. The client got status 400 for each. */
  errors: readonly SagaError[];
  /** Throws the first of the errors. */
  check(): void;
  /** Plays the fault at the next turn. Several faults are played one after the other. */
  failNext(fault: Fault): void;
  close(): Promise<void>;
}

/** Serves the Messages API on loopback. A script or a policy gives the answers, so it costs nothing. */
export async function startModel(options: ModelOptions): Promise<Model> {
  const turns = new Turns(
    'script' in options ? playScript(options.script) : askPolicy(options.policy),
  );
  const requests: ModelRequest[] = [];
  const loopback = await openLoopback(options.port ?? 0, async (incoming, response) => {
    try {
      const request = await readRequest(incoming);
      requests.push(request);
      await answer(request, response, { turns, usage: options.usage, refuse: loopback.refuse });
    } catch (error) {
      // The answer has begun, so the connection can only be cut.
      if (response.headersSent) response.destroy();
      else sendStatusFault(response, { status: 500, message: messageOf(error) });
    }
  });
  return {
    url: loopback.url,
    requests,
    errors: turns.errors,
    check() {
      const [first] = turns.errors;
      if (first) throw first;
    },
    failNext: (fault) => turns.failNext(fault),
    close: loopback.close,
    [Symbol.asyncDispose]: loopback.close,
  };
}
