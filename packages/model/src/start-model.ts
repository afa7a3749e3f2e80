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
  /** A free one if not given. */
  port?: number;
  /** For turns that claim none themselves. Nothing if not given: a scripted turn costs nothing. */
  usage?: Usage;
};

export interface Model extends AsyncDisposable {
  /** For ANTHROPIC_BASE_URL. */
  url: string;
  /** All that was asked, oldest first. */
  requests: readonly ModelRequest[];
  /** What is wrong with the script or the policy itself; the client was told with status 400. */
  errors: readonly SagaError[];
  /** Throws the first of the errors. */
  check(): void;
  /** Plays the fault at the next turn; several stand in line. */
  failNext(fault: Fault): void;
  close(): Promise<void>;
}

/** A model that costs nothing: the Messages API on loopback, answering by script or by policy. */
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
      // Once the answer has begun, the client can only see it break off.
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
