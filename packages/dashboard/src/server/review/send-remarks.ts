import { SagaError } from '@saga-ai/core/errors';
import { openPlainGit } from '@saga-ai/core/git/plain-git';
import { tellStory } from '@saga-ai/core/messages/tell-story';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { loadStory } from '@saga-ai/core/plan/stories';
import { fileRemarks, quoteRemarks } from '@saga-ai/core/review/file-remarks';
import { formatRemark, type QuotedRemark } from '@saga-ai/core/review/line-remark';
import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import type { LineRemark, RemarksRequest } from '@saga-ai/types/screens/review/review';
import { count } from '@saga-ai/types/words/amounts';
import type { ActionContext } from '../actions/action-context.ts';
import { startStory } from '../actions/story-actions.ts';
import { requireCommits } from './reviews.ts';

/**
 * Sends the remarks of a reviewer. With `runs` they go into the conversation of the run that is at work, or into the
 * journal and a new run. Otherwise they are only filed, as by `saga feedback`.
 */
export async function sendRemarks(
  project: LiveProject,
  action: ActionContext,
  storyId: string,
  body: unknown,
): Promise<ActionAnswer> {
  const { paths, env } = action;
  const { remarks, runs } = readRemarks(body);
  requireOpen(project, storyId);
  const quoted = await quoteRemarks(openPlainGit(paths.root, env), remarks);
  const what = count(remarks.length, 'remark');
  const isAtWork = (project.overview.story(storyId)?.session ?? null) !== null;
  const left = runs && isAtWork ? tell(action, storyId, quoted) : quoted;
  if (left.length === 0) return say(`Sent ${what}. The run reads them after its current step.`);
  await fileRemarks(paths, storyId, left, new Date().toISOString());
  if (!runs) return say(`Filed ${what} in the journal. The next run is told.`);
  const { message } = await startStory(action, storyId);
  return say(`Filed ${what}. ${message}`);
}

/** Gives the remarks to the run that is at work. Returns the remarks that no run could receive. */
function tell(
  { paths, env }: ActionContext,
  storyId: string,
  remarks: readonly QuotedRemark[],
): QuotedRemark[] {
  const from = env.SAGA_OWNER || env.USER || 'The reviewer at the dashboard';
  return remarks.filter((it) => {
    const said = { from, text: formatRemark(it), interrupts: false };
    return tellStory(paths, storyId, said) === undefined;
  });
}

function requireOpen({ paths, overview }: LiveProject, storyId: string): void {
  // This fails if the item is not a story.
  loadStory(paths, storyId);
  if (overview.story(storyId)?.state !== 'done') return;
  throw new SagaError(
    'usage',
    `Story ${storyId} is merged, so no run will work on it again.`,
    'Nothing was filed. Plan what is missing as a new story: saga create',
  );
}

const MOST = 500;
const LONGEST = 8000;

function readRemarks(body: unknown): RemarksRequest {
  const { remarks, runs } = (body ?? {}) as Partial<Record<keyof RemarksRequest, unknown>>;
  if (!Array.isArray(remarks) || remarks.length === 0 || remarks.length > MOST) {
    throw refuse(`There must be between 1 and ${MOST} remarks.`);
  }
  return { remarks: remarks.map(readRemark), runs: runs === true };
}

function readRemark(given: unknown): LineRemark {
  const { from, to, file, side, line, text } = (given ?? {}) as Partial<
    Record<keyof LineRemark, unknown>
  >;
  if (typeof text !== 'string' || text.trim() === '') throw refuse('A remark is empty.');
  if (text.length > LONGEST) throw refuse(`A remark has more than ${LONGEST} characters.`);
  const isPlace = isCount(file) && isCount(line) && line > 0 && (side === 'old' || side === 'new');
  if (!isPlace || typeof from !== 'string' || typeof to !== 'string') {
    throw refuse('A remark does not say which line it is about.');
  }
  requireCommits({ from, to });
  return { from, to, file, side, line, text };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const refuse = (what: string) => new SagaError('edit-refused', what, 'Nothing was filed.');

const say = (message: string): ActionAnswer => ({ ok: true, message });
