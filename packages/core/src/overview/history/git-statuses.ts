import { isId, RESERVED_TASK_IDS } from '@saga-ai/types/plan/ids';
import { storyPath } from '@saga-ai/types/plan/plan-paths';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import type { Git } from '../../git/git.ts';
import type { NotedStatus } from './derive-history.ts';

const GIT_MS = 10_000;

/**
 * The commits that may tell of these stories: what is checked out, where the default branch of a
 * remote is, and the stories' own branches, here and fetched. Nothing when git cannot say.
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
 * Every change of a status that these commits and their ancestors hold, but for what was known of
 * others already. Nothing when git cannot say.
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
      // When the work was done: a rebase keeps this time.
      '--format=%x00%at',
      ...['-p', '-U0', '--relative', '--no-renames', '--no-color', '--no-show-signature'],
      ...['--no-ext-diff', '--no-textconv', '--text', '--src-prefix=a/', '--dst-prefix=b/'],
      ...tips,
      ...known.map((commit) => `^${commit}`),
      '--',
      // Whole folders: to compare names with a pattern takes git five times as long.
      ...stories.map(({ id }) => `:(literal)${storyPath(id)}`),
    ],
    { timeoutMs: GIT_MS },
  );
  return code === 0 ? parseGitStatuses(stdout) : undefined;
}

/**
 * From a log with differences. Lines of a file begin with + or -, so nothing that stands in one can
 * be taken for a line of git's own.
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
      // A plan that is committed late creates open tasks, which opens none again.
      else if (isCompleted !== (isBefore ?? false)) found.push({ ...at, time, isCompleted });
    }
  }
  return found;
}

/** Of a file with a line for each field, as SAGA writes it, or of one in a single line. */
const STATUS = /^([+-])\s*(?:\{?\s*|\{.*?[^\\])"status"\s*:\s*"(pending|in_progress|completed)"/;

function parsePath(path: string): { story: string; task: string } | undefined {
  const [, story, task] = /^b\/\.saga\/stories\/([^/]+)\/([^/]+)\.json\t?$/.exec(path) ?? [];
  return isId(story) && isId(task) && !RESERVED_TASK_IDS.includes(task)
    ? { story, task }
    : undefined;
}
