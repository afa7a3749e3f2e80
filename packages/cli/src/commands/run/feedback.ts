import { writeInEditor } from '@saga-ai/core/authoring/edit-text';
import { SagaError } from '@saga-ai/core/errors';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { appendJournal } from '@saga-ai/core/plan/journal';
import { loadStory } from '@saga-ai/core/plan/stories';
import { displayPath } from '@saga-ai/core/project/display-path';
import { buildFeedback } from '@saga-ai/types/plan/journal';
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
  about: `Writes what you want changed into the story's journal as Feedback. The next run is told it, once,
also if every task is completed. saga run starts that run; saga feedback starts nothing.`,
  examples: ['saga feedback cart-api "Round the totals to cents, and add a test for it."'],
  async run(invocation) {
    const { paths, out, args } = invocation;
    const storyId = args[0] ?? '';
    const isRunning = await requireOpen(invocation, storyId);
    const entry = buildFeedback(await readText(args[1]), new Date().toISOString());
    const remote = await findRemoteJournal(paths(), storyId);
    const file = remote
      ? await remote.append(entry)
      : displayPath(paths().root, await appendJournal(paths(), storyId, entry));
    if (out.json) return void out.value({ story: storyId, entry, file });
    out.lines([
      `${out.paint('done', '✓')} feedback: ${cleanLine(entry.title)}`,
      `  written to ${file}`,
      isRunning
        ? '  the running worker tells it to its next run'
        : `  to have it worked on: saga run ${storyId}${remote ? ' --engine' : ''}`,
    ]);
    return 0;
  },
};

/** Throws if the story is done. Returns whether a worker is at it. */
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

async function readText(given: string | undefined): Promise<string> {
  const text =
    given === '-'
      ? readStandardInput()
      : (given ?? (await writeInEditor('feedback.md', '', environment.editor())));
  if (text.trim() !== '') return text;
  throw new SagaError('edit-refused', 'The feedback is empty.', 'Nothing was written.');
}
