import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Emit } from '@saga-ai/types/run/event';
import type { GuardAddress } from '../../agents/claude/client-invocation.ts';
import { GUARD_PROGRAM } from '../../agents/claude/guard-program.ts';
import { describeCall } from '../../agents/claude/tool-call.ts';
import { messageOf } from '../../errors.ts';
import { quote } from '../../processes/quote.ts';
import { resolveReal } from '../../project/resolve-real.ts';
import { decideScope, type ScopePlace } from '../../scope/scope.ts';

/** Answers every tool call of a run, before it happens: loopback only, and only with the token. */
export interface Guard extends AsyncDisposable {
  address: GuardAddress;
  /** Forgets what it saw; call it before each run, with what that run may write if not all. */
  reset(mayWrite?: ScopePlace['mayWrite']): void;
  /** It was asked about the prompt, so it will be asked about the calls. */
  isAwake(): boolean;
  wasAskedAbout(callId: string): boolean;
}

export interface GuardOptions {
  place: ScopePlace;
  emit: Emit;
  /** Where the program for clients without http hooks is put. */
  folder: string;
}

const MAX_BODY = 64 * 1024 * 1024;

export async function startGuard({ place, emit, folder }: GuardOptions): Promise<Guard> {
  const token = randomBytes(24).toString('hex');
  const asked = new Set<string>();
  let isAwake = false;
  let scope = place;
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });

  const answer = async (request: IncomingMessage): Promise<{ status: number; body: object }> => {
    if (!isOurs(request, token, port)) return { status: 403, body: {} };
    try {
      const payload = JSON.parse(await readBody(request)) as HookPayload;
      return { status: 200, body: decide(payload) };
    } catch (error) {
      // The client asks in a form we do not know: nothing is let through.
      emit('guard:failed', { reason: messageOf(error) });
      return { status: 200, body: denial('The guard could not read the call.') };
    }
  };

  const decide = (payload: HookPayload): object => {
    if (payload.hook_event_name === 'UserPromptSubmit') {
      isAwake = true;
      return {};
    }
    const { tool_name: tool, tool_input: input, cwd = place.worktree } = payload;
    if (payload.hook_event_name !== 'PreToolUse' || typeof tool !== 'string') {
      throw new Error('it is no tool call');
    }
    if (payload.tool_use_id !== undefined) asked.add(payload.tool_use_id);
    const verdict = decideScope({ tool, input: input ?? {}, cwd }, scope, (path) =>
      resolveReal(path),
    );
    if (verdict.allowed) return {};
    const { path } = describeCall(tool, input ?? {});
    emit('guard:denied', { id: payload.tool_use_id, tool, path, input, reason: verdict.reason });
    return denial(verdict.reason);
  };

  await listen(server);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  const program = join(folder, `guard-${port}.mjs`);
  rmSync(program, { force: true });
  writeFileSync(program, GUARD_PROGRAM, { mode: 0o600, flag: 'wx' });
  const words = [process.execPath, program, url].map(quote).join(' ');
  return {
    // A project's settings may set variables; one of them makes Node load any file first.
    address: { url, token, command: `NODE_OPTIONS= ${words}` },
    reset(mayWrite) {
      scope = mayWrite ? { ...place, mayWrite } : place;
      isAwake = false;
      asked.clear();
    },
    isAwake: () => isAwake,
    wasAskedAbout: (callId) => asked.has(callId),
    async [Symbol.asyncDispose]() {
      rmSync(program, { force: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface HookPayload {
  hook_event_name?: string;
  tool_name?: string;
  tool_input?: Record<string, unknown>;
  tool_use_id?: string;
  cwd?: string;
}

function denial(reason: string): object {
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason };
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
}

/** A page in a browser can reach loopback too; it knows neither the token nor this Host. */
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
    // Read on without keeping it: a broken connection would be no answer, and old clients take that for a yes.
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
