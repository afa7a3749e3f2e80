import { createInterface } from 'node:readline/promises';
import { SagaError } from '@saga-ai/core/errors';
import type { Paths } from '@saga-ai/core/project/paths';
import { findUntrusted, requireTrust, TRUST_VARIABLE } from '@saga-ai/core/trust/require-trust';
import { saveAgreed } from '@saga-ai/core/trust/trust-record';
import type { OptionSpec } from '../command.ts';
import type { Output } from '../output/output.ts';
import { formatParts } from './trust-list.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export const TRUST_OPTION = {
  trust: {
    type: 'boolean',
    help: 'do not ask whether you trust what this project runs; for CI',
  },
} as const satisfies Record<string, OptionSpec>;

interface Question {
  paths: Paths;
  storyIds: readonly string[];
  env: Variables;
  out: Output<never>;
  /** The person gave --trust. */
  isGiven: boolean;
  /** False if nobody sits in front of this terminal. */
  mayAsk?: boolean;
}

/**
 * Makes sure that the person agreed to what runs of the stories take from the repository. At a terminal it
 * shows the list and asks once. Returns the environment for the run.
 */
export async function settleTrust(question: Question): Promise<Variables> {
  const { paths, storyIds, env: around, out, isGiven, mayAsk = true } = question;
  const env = isGiven ? { ...around, [TRUST_VARIABLE]: '1' } : around;
  const untrusted = findUntrusted(paths, storyIds, env);
  if (untrusted.length === 0) return env;
  if (!mayAsk || !canAsk(out)) requireTrust(paths, storyIds, env);
  out.lines([
    `${paths.root} asks for your trust. A run would use this, with your rights:`,
    '',
    ...formatParts(untrusted, out),
    '',
  ]);
  if (!(await askYesOrNo('Do you trust it? [y/N] '))) throw notAgreed(paths);
  await saveAgreed(paths, untrusted, env);
  return env;
}

export const canAsk = ({ json }: Pick<Output, 'json'>): boolean =>
  !json && process.stdin.isTTY === true && process.stdout.isTTY === true;

/** Anything but yes is a no: also an empty answer, Ctrl-C and the end of the input. */
export async function askYesOrNo(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(question), closed]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function notAgreed({ root }: Paths): SagaError {
  return new SagaError(
    'untrusted',
    `You did not agree to what ${root} would run, so nothing was started.`,
    'Change what you do not want, then see the list again: saga trust',
  );
}
