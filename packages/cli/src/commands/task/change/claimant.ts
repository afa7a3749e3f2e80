import type { Claimant } from '@saga-ai/core/agents/claude/tasklist/claim';
import { SagaError } from '@saga-ai/core/errors';
import type { Invocation, OptionSpec } from '../../../command.ts';
import { environment } from '../../../environment.ts';

export const CLAIM_OPTIONS = {
  owner: { type: 'text', value: 'NAME', help: 'who claims the task (you)' },
  pid: { type: 'text', value: 'N', help: 'the process that works on the task (the caller)' },
} as const satisfies Record<string, OptionSpec>;

/** This command ends at once, so the claim names the process that called it. */
export function readClaimant({ text }: Invocation): Claimant {
  const pid = Number(text('pid') ?? environment.callerPid());
  if (!Number.isInteger(pid) || pid <= 0) {
    throw new SagaError(
      'usage',
      `--pid must be a process number (found ${JSON.stringify(text('pid'))}).`,
      'Leave it out to name the calling process.',
    );
  }
  return { owner: text('owner') ?? environment.userName(), pid, time: new Date().toISOString() };
}
