import { existsSync } from 'node:fs';
import { SagaError } from '@saga-ai/core/errors';
import { isHeld } from '@saga-ai/core/overview/scan-project';
import { runProgram } from '@saga-ai/core/processes/run';
import { fleetFolder, type Paths } from '@saga-ai/core/project/paths';
import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import type { Code } from '@saga-ai/types/words/problem';
import type { ActionContext } from './action-context.ts';

/** A machine may take its time to stop a worker. */
const PATIENCE_MS = 120_000;

interface Call {
  /** The words of the command. */
  args: readonly string[];
  input?: string;
  /** What the page says after a success. */
  done: string;
}

/**
 * Acts on a story or epic that another machine of the fleet has. Starts the saga command for that, so that this server
 * needs no engine. Returns undefined if no other machine has it.
 */
export async function actInFleet(
  context: ActionContext,
  id: string,
  call: Call,
): Promise<ActionAnswer | undefined> {
  return isHeld(context.paths, id) ? callSaga(context, call) : undefined;
}

/** Whether this project was ever seen together with a fleet. */
export const isInFleet = (paths: Paths): boolean => existsSync(fleetFolder(paths));

export async function callSaga(
  { paths, env, program }: ActionContext,
  { args, input = '', done }: Call,
): Promise<ActionAnswer> {
  const [name = '', ...first] = program;
  const options = { cwd: paths.root, env, input, timeoutMs: PATIENCE_MS };
  const { code, stdout, stderr } = await runProgram(name, [...first, ...args, '--json'], options);
  if (code === 0) return { ok: true, message: done };
  const { error } = readJson(stdout);
  throw new SagaError(
    error?.code ?? 'session-failed',
    error?.message ?? `saga ${args[0]} failed: ${stderr.trim()}`,
    error?.hint ?? `Try it in a terminal: saga ${args.slice(0, 2).join(' ')}`,
  );
}

function readJson(text: string): { error?: { code: Code; message: string; hint: string } } {
  try {
    return JSON.parse(text);
  } catch {
    // The command was ended before it could say why.
    return {};
  }
}
