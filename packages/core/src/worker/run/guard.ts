import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Emit } from '@saga-ai/types/run/event';
import type { GuardAddress } from '../../agents/agent.ts';
import type { GuardQuestion, GuardWire } from '../../agents/wires.ts';
import { messageOf } from '../../errors.ts';
import { quote } from '../../project/quote.ts';
import { resolveReal } from '../../project/resolve-real.ts';
import type { Confinement } from '../../scope/confinement.ts';
import { decideScope } from '../../scope/scope.ts';

/** Answers every tool call of a run before it happens. Listens on loopback only and requires a token. */
export interface Guard extends AsyncDisposable {
  address: GuardAddress;
  /** Forgets the previous run. Call it before each run; `mayWrite` limits what that run may write. */
  reset(mayWrite?: Confinement['mayWrite']): void;
  /** Whether the client asked about the prompt. If so, it will also ask about tool calls. */
  wasAskedAboutPrompt(): boolean;
  wasAskedAbout(callId: string): boolean;
}

export interface GuardOptions {
  place: Confinement;
  wire: GuardWire;
  emit: Emit;
}

const MAX_BODY = 64 * 1024 * 1024;

export async function startGuard({ place, wire, emit }: GuardOptions): Promise<Guard> {
  const token = randomBytes(24).toString('hex');
  const asked = new Set<string>();
  let wasAskedAboutPrompt = false;
  let scope = place;
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });

  const answer = async (request: IncomingMessage): Promise<{ status: number; body: object }> => {
    if (!isOurs(request, token, port)) return { status: 403, body: {} };
    try {
      return { status: 200, body: decide(wire.read(await readBody(request))) };
    } catch (error) {
      // The agent sent an unknown request: deny the call.
      emit('guard:failed', { reason: messageOf(error) });
      return { status: 200, body: wire.deny('The guard could not read the call.') };
    }
  };

  const decide = (question: GuardQuestion): object => {
    if (question.kind === 'prompt') {
      wasAskedAboutPrompt = true;
      return wire.allow();
    }
    const { id, tool, input, path, accesses, cwd = place.worktree } = question;
    if (id !== undefined) asked.add(id);
    const verdict = decideScope({ accesses, cwd }, scope, (it) => resolveReal(it));
    if (verdict.allowed) return wire.allow();
    emit('guard:denied', { id, tool, path, input, reason: verdict.reason });
    return wire.deny(verdict.reason);
  };

  await listen(server);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  const words = [process.execPath, '--input-type=module', '-e', wire.program, url].map(quote);
  return {
    // A project's settings may set NODE_OPTIONS, which could make Node load any file first.
    address: { url, token, command: `NODE_OPTIONS= ${words.join(' ')}` },
    reset(mayWrite) {
      scope = mayWrite ? { ...place, mayWrite } : place;
      wasAskedAboutPrompt = false;
      asked.clear();
    },
    wasAskedAboutPrompt: () => wasAskedAboutPrompt,
    wasAskedAbout: (callId) => asked.has(callId),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Accepts only requests with the token and the right Host: a web page can reach loopback too, but
 * knows neither.
 */
function isOurs({ method, headers }: IncomingMessage, token: string, port: number): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return (
    method === 'POST' &&
    headers.origin === undefined &&
    headers.host === `127.0.0.1:${port}` &&
    given.length === wanted.length &&
    timingSafeEqual(given, wanted)
  );
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // Read the rest without keeping it: old clients treat a broken connection as permission.
    if (size <= MAX_BODY) chunks.push(chunk);
  }
  if (size > MAX_BODY) throw new Error('the call is too large');
  return Buffer.concat(chunks).toString('utf8');
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}
