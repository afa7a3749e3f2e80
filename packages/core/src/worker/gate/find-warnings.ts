import type { Git } from '../../git/git.ts';
import { warnOfChanges } from './warn-of-changes.ts';

/** Finds changes of a story that may have changed what the verify command does. */
export async function findWarnings(
  git: Git,
  command: string,
  { base, head, changed }: { base: string; head: string; changed: readonly string[] },
): Promise<string[]> {
  const manifests = changed.filter((path) => /(^|\/)package\.json$/.test(path));
  const read = async (commit: string, path: string) => {
    const shown = await git.attempt(['show', `${commit}:${path}`]);
    return shown.code === 0 ? shown.stdout : undefined;
  };
  const scripts = await Promise.all(
    manifests.map(async (path) => ({
      path,
      before: await read(base, path),
      after: await read(head, path),
    })),
  );
  return warnOfChanges({ command, changed, manifests: scripts });
}
