import { writeInEditor } from '@saga-ai/core/authoring/edit-text';
import { describeNextRun } from '@saga-ai/core/epic/look/describe-resume';
import { SagaError } from '@saga-ai/core/errors';
import { openPlainGit } from '@saga-ai/core/git/plain-git';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { loadConfig } from '@saga-ai/core/plan/config';
import { appendJournal } from '@saga-ai/core/plan/journal';
import { loadStory } from '@saga-ai/core/plan/stories';
import { displayPath } from '@saga-ai/core/project/display-path';
import { buildRemark, parseLinePlace, type QuotedRemark } from '@saga-ai/core/review/line-remark';
import { quoteLine } from '@saga-ai/core/review/quote-line';
import { requireReviewRange } from '@saga-ai/core/review/require-range';
import { buildFeedback, idOf } from '@saga-ai/types/plan/journal';
import type { FeedbackJson } from '@saga-ai/types/screens/json/run';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { findRemoteJournal } from '../../fleet/remote-journal.ts';
import { cleanLine } from '../../output/text.ts';
import { readStandardInput } from '../../standard-input.ts';

export const command: Command<FeedbackJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.FeedbackJson),
  args: [
    { name: 'story', help: 'a story', required: true, complete: 'story' },
    { name: 'text', help: 'what to change; - for standard input (default: your editor)' },
  ],
  options: {
    at: {
      type: 'text',
      value: 'FILE:LINE',
      help: 'what the remark is about, such as src/a.ts:12; the line is quoted',
    },
  },
  about: `Writes what you want changed into the story's journal as Feedback. The next run is told it, once,
also if every task is completed. saga run starts that run; saga feedback starts nothing.

With --at the remark is about a line of the story's branch, as on the review page of the dashboard.`,
  examples: [
    'saga feedback cart-api "Round the totals to cents, and add a test for it."',
    'saga feedback cart-api --at src/cart.ts:12 "Use the helper in src/money.ts."',
  ],
  async run(invocation) {
    const { paths, out, args, text } = invocation;
    const storyId = args[0] ?? '';
    const isRunning = await requireOpen(invocation, storyId);
    const at = text('at');
    const place = at === undefined ? undefined : await findLine(invocation, storyId, at);
    const said = await readText(args[1]);
    const time = new Date().toISOString();
    const entry = place ? buildRemark({ ...place, text: said }, time) : buildFeedback(said, time);
    const remote = await findRemoteJournal(paths(), storyId);
    const file = remote
      ? await remote.append(entry)
      : displayPath(paths().root, await appendJournal(paths(), storyId, entry));
    if (out.json)
      return void out.value({ story: storyId, entry: { id: idOf(entry), ...entry }, file });
    out.lines([
      `${out.paint('done', '✓')} feedback: ${cleanLine(entry.title)}`,
      `  written to ${file}`,
      ...(isRunning
        ? ['the running worker tells it to its next run']
        : describeNextRun(paths(), storyId, {
            journal: remote?.text ?? loadStory(paths(), storyId).journal,
            purpose: 'to have it worked on',
            isRemote: remote !== undefined,
          })
      ).map((line) => `  ${line}`),
    ]);
    return 0;
  },
};

/** Throws if the story is done. Returns whether a worker works on it. */
async function requireOpen({ paths }: Invocation<FeedbackJson>, storyId: string): Promise<boolean> {
  // Fails here if the story does not exist.
  loadStory(paths(), storyId);
  const { stories } = await loadOverview(paths(), environment.handedOver());
  const story = stories.find((it) => it.id === storyId);
  if (story?.state !== 'done') return story?.running ?? false;
  throw new SagaError(
    'usage',
    `Story ${storyId} is done: it is merged, so no run will work on it again.`,
    'Plan what is missing as a new story: saga create --title "…" --task "…"',
  );
}

/** Finds the line that a remark is about, in the last commit of the story's branch. */
async function findLine(
  { paths }: Invocation<FeedbackJson>,
  id: string,
  at: string,
): Promise<Omit<QuotedRemark, 'text'>> {
  const place = parseLinePlace(at);
  if (!place) {
    throw new SagaError(
      'usage',
      `--at takes a file and a line, not ${JSON.stringify(at)}.`,
      `Such as: saga feedback ${id} --at src/a.ts:12 "…"`,
    );
  }
  const env = environment.variables();
  const { config } = loadConfig(paths(), { environment: env });
  const git = openPlainGit(paths().root, env);
  const range = await requireReviewRange(git, { paths: paths(), config, kind: 'story', id });
  const quoted = await quoteLine(git, range.to, place.path, place.line);
  if (quoted !== undefined) return { ...place, isRemoved: false, quoted };
  throw new SagaError(
    'not-found',
    `${range.head} has no line ${place.line} in ${place.path}.`,
    `Nothing was written. To see its files: saga diff ${id} --stat`,
  );
}

async function readText(given: string | undefined): Promise<string> {
  const text =
    given === '-'
      ? readStandardInput()
      : (given ?? (await writeInEditor('feedback.md', '', environment.editor())));
  if (text.trim() !== '') return text;
  throw new SagaError('edit-refused', 'The feedback is empty.', 'Nothing was written.');
}
