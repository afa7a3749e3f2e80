import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SagaError } from '@saga-ai/core/errors';
import { heldFolder, type Paths } from '@saga-ai/core/project/paths';

/** Returns who has a story or epic, as far as this machine knows: a machine of the fleet, or `the queue`. */
export function findHolder(paths: Paths, id: string): string | undefined {
  try {
    return readFileSync(join(heldFolder(paths), id), 'utf8').trim();
  } catch {
    // Nobody has the story, or there is no fleet.
    return undefined;
  }
}

/** Throws if another machine of the fleet works on the story or epic: two workers would work against each other. */
export function requireNotHeld(paths: Paths, id: string): void {
  const machine = findHolder(paths, id);
  if (machine === undefined) return;
  throw new SagaError(
    'in-flight',
    `${id} is with the fleet: ${machine} has it.`,
    `Watch it: saga logs -f ${id}. Stop it: saga stop ${id}`,
  );
}
