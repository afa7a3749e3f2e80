import { parseTaskPath, storyPath } from '@saga-ai/types/plan/plan-paths';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import type { Git } from '../../git/git.ts';
import type { NotedStatus } from './derive-history.ts';

const GIT_MS = 10_000;

/**
 * Lists the commits that may contain these stories: HEAD, the remote's default branch, and the
 * stories' own branches, local and fetched. Returns undefined if git fails.
 */
export async function listTips(
  git: Git,
  stories: readonly StoryView[],
): Promise<string[] | undefined> {
  const wanted = ['refs/heads', 'refs/remotes/*/HEAD', 'refs/remotes/*/story/*'];
  const { code, stdout } = await git.attempt(
    ['for-each-ref', '--format=%(HEAD)%(objectname) %(refname)', ...wanted],
    { timeoutMs: GIT_MS },
  );
  if (code !== 0) return undefined;
  const branches = new Set(stories.map(({ id, branch }) => branch ?? formatStoryBranch(id)));
  const tips = stdout.split('\n').flatMap((line) => {
    const [, head, commit, ref = ''] = /^([* ])([0-9a-f]+) refs\/(.+)$/.exec(line) ?? [];
    const name = ref.replace(/^(heads|remotes\/[^/]+)\//, '');
    return commit && (head === '*' || name === 'HEAD' || branches.has(name)) ? [commit] : [];
  });
  return [...new Set(tips)].sort();
}

/**
 * Finds every status change in these commits and their ancestors, without the commits that are known
 * already. Returns undefined if git fails.
 */
export async function loadGitStatuses(
  git: Git,
  stories: readonly StoryView[],
  tips: readonly string[],
  known: readonly string[] = [],
): Promise<NotedStatus[] | undefined> {
  if (tips.length === 0 || stories.length === 0) return [];
  const { code, stdout } = await git.attempt(
    [
      'log',
      // The author time: a rebase keeps it.
      '--format=%x00%at',
      ...['-p', '-U0', '--relative', '--no-renames', '--no-color', '--no-show-signature'],
      ...['--no-ext-diff', '--no-textconv', '--text', '--src-prefix=a/', '--dst-prefix=b/'],
      ...tips,
      ...known.map((commit) => `^${commit}`),
      '--',
      // Whole folders, because git is five times slower with a pattern.
      ...stories.map(({ id }) => `:(literal)${storyPath(id)}`),
    ],
    { timeoutMs: GIT_MS },
  );
  return code === 0 ? parseGitStatuses(stdout) : undefined;
}

/**
 * Parses a log with patches. Lines of a file begin with + or -, so they cannot be mistaken for git's
 * own lines.
 */
export function parseGitStatuses(log: string): NotedStatus[] {
  const found: NotedStatus[] = [];
  let time = Number.NaN;
  let at: { story: string; task: string } | undefined;
  let isBefore: boolean | undefined;
  let isInFile = false;
  for (const line of log.split('\n')) {
    if (line.startsWith('\0')) time = Number(line.slice(1)) * 1000;
    else if (line.startsWith('diff --git ')) {
      at = undefined;
      isBefore = undefined;
      isInFile = false;
    } else if (!isInFile && line.startsWith('+++ ')) at = parsePath(line.slice('+++ '.length));
    else if (line.startsWith('@@ ')) isInFile = true;
    else if (at && isInFile) {
      const [, sign, status] = STATUS.exec(line) ?? [];
      if (status === undefined) continue;
      const isCompleted = status === 'completed';
      if (sign === '-') isBefore = isCompleted;
      // A file that is created with an open task does not open a task again.
      else if (isCompleted !== (isBefore ?? false)) found.push({ ...at, time, isCompleted });
    }
  }
  return found;
}

/** Matches the status in a file with one field per line, as SAGA writes it, or in a file on a single line. */
const STATUS = /^([+-])\s*(?:\{?\s*|\{.*?[^\\])"status"\s*:\s*"(pending|in_progress|completed)"/;

/** git writes `b/` before the path of the newer side, and a tab behind a path with a blank. */
const parsePath = (side: string) => parseTaskPath(side.replace(/^b\//, '').replace(/\t$/, ''));
