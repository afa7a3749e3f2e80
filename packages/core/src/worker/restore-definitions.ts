import { copyFileSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Git } from '../programs/git.ts';
import { classifyPlanFile, isTaskIntact } from '../rules/definitions.ts';

/** `.saga` in any spelling: some disks make no difference. */
const PLAN = ':(icase).saga';

/**
 * Puts back what a run changed in the plan since a commit, committed or not. What it had written is
 * kept aside, so that nothing is lost. Says which files those were.
 */
export async function restoreDefinitions(
  git: Git,
  since: string,
  storyId: string,
  keepIn: string,
): Promise<string[]> {
  const [changed, added] = await Promise.all([
    git.paths(['diff', '--name-only', '--no-renames', '-z', since, '--', PLAN]),
    git.paths(['ls-files', '-o', '--exclude-standard', '-z', '--', PLAN]),
  ]);
  const restored: string[] = [];
  for (const path of new Set([...changed, ...added])) {
    if (await isAllowed(git, since, path, storyId)) continue;
    keepAside(join(git.folder, path), join(keepIn, path));
    await putBack(git, since, path);
    restored.push(path);
  }
  return restored.sort();
}

async function isAllowed(git: Git, since: string, path: string, storyId: string): Promise<boolean> {
  const ownership = classifyPlanFile(path, storyId);
  if (ownership !== 'task') return ownership === 'free';
  const before = await git.attempt(['show', `${since}:${path}`]);
  return before.code === 0 && isTaskIntact(before.stdout, readPlain(join(git.folder, path)));
}

/** A link in place of a task file is not followed: it is no task file. */
function readPlain(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile()
    ? readFileSync(path, 'utf8')
    : undefined;
}

function keepAside(path: string, copy: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return;
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(path, copy);
}

async function putBack(git: Git, since: string, path: string): Promise<void> {
  const literal = `:(literal)${path}`;
  rmSync(join(git.folder, path), { recursive: true, force: true });
  const wasThere = (await git.attempt(['cat-file', '-e', `${since}:${path}`])).code === 0;
  if (wasThere) await git.run(['checkout', '-q', since, '--', literal]);
  else await git.run(['rm', '-rq', '--cached', '--ignore-unmatch', '--', literal]);
}
