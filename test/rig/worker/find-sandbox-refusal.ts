import { findBubblewrap } from '@saga-ai/core/sandbox/find-bubblewrap';

/**
 * Why nothing can be enclosed here: some systems and containers forbid namespaces. A missing program
 * is no such reason; set-up installs it.
 */
export async function findSandboxRefusal(): Promise<string | undefined> {
  const found = await findBubblewrap({ PATH: process.env.PATH });
  if (!('missing' in found) || !found.isForbidden) return undefined;
  console.info(`Tests of the sandbox are not run here: ${found.missing}`);
  return found.missing;
}
