import { findBubblewrap } from '@saga-ai/core/sandbox/find-bubblewrap';

/**
 * Returns why the sandbox does not work on this machine: some systems and containers forbid namespaces. A missing
 * program does not count, because set-up installs it.
 */
export async function findSandboxRefusal(): Promise<string | undefined> {
  const found = await findBubblewrap({ PATH: process.env.PATH });
  if (!('missing' in found) || !found.isForbidden) return undefined;
  console.info(`Tests of the sandbox are not run here: ${found.missing}`);
  return found.missing;
}
