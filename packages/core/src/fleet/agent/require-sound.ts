import { isId } from '@saga-ai/types/plan/ids';
import { SagaError } from '../../errors.ts';
import type { Job } from '../engine.ts';

/** The settings that `saga run` can hand over. The machine and the repository decide all other settings. */
export const RUN_SETTINGS = [
  'worker.maxCycles',
  'worker.maxTime',
  'worker.model',
  'budget.usd',
  'budget.tokens',
  'pullRequest.mode',
  'pullRequest.follow',
] as const;
export type RunSetting = (typeof RUN_SETTINGS)[number];

const MAY_SET: ReadonlySet<string> = new Set(RUN_SETTINGS);

/**
 * Throws if a job asks for more than `saga run` can. A person who can write to the engine must not be able to
 * choose the program that runs on a machine, or a file that it writes.
 */
export function requireSound({ id, flags }: Pick<Job, 'id' | 'flags'>): void {
  if (!isId(id)) throw refused(`its id is ${JSON.stringify(id)}`);
  const [other] = Object.keys(flags).filter((key) => !MAY_SET.has(key));
  if (other !== undefined) throw refused(`it sets ${other}`);
}

function refused(why: string): SagaError {
  return new SagaError(
    'usage',
    `This machine refuses the job: ${why}, and saga run never asks for that.`,
    'Find out who can write to the database of the fleet.',
  );
}
