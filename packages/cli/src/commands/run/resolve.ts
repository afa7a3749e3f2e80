import { writeInEditor } from '@saga-ai/core/authoring/edit-text';
import { describeResume } from '@saga-ai/core/epic/look/describe-resume';
import { SagaError } from '@saga-ai/core/errors';
import { appendJournal } from '@saga-ai/core/plan/journal';
import { loadStory } from '@saga-ai/core/plan/stories';
import { displayPath } from '@saga-ai/core/project/display-path';
import {
  buildResolution,
  findOpenBlockers,
  idOf,
  parseJournal,
  type ReadEntry,
} from '@saga-ai/types/plan/journal';
import type { ResolveJson } from '@saga-ai/types/screens/json/run';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { findRemoteJournal } from '../../fleet/remote-journal.ts';
import { cleanLine } from '../../output/text.ts';
import { readStandardInput } from '../../standard-input.ts';

export const command: Command<ResolveJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.ResolveJson),
  args: [{ name: 'story', help: 'a story', required: true, complete: 'story' }],
  options: {
    blocker: {
      type: 'text',
      value: 'TITLE',
      help: 'which blocker, by title, number or id, if several',
    },
    with: {
      type: 'text',
      value: 'TEXT',
      help: 'the answer; - for standard input (default: your editor)',
    },
  },
  about: `Writes your answer into the story's journal as a Resolution. The next run is told your answer,
also if every task is completed. saga run starts that run, unless an epic that runs does.`,
  examples: ['saga resolve payment-adapter --with "Use the Stripe sandbox."'],
  async run(invocation) {
    const { paths, out, args } = invocation;
    const storyId = args[0] ?? '';
    const { journal } = loadStory(paths(), storyId);
    const remote = await findRemoteJournal(paths(), storyId);
    const open = findOpenBlockers(parseJournal(remote?.text ?? journal).entries);
    const blocker = pick(open, storyId, invocation);
    const body = await readAnswer(blocker, invocation);
    const entry = buildResolution(blocker, body, new Date().toISOString());
    const file = remote
      ? await remote.append(entry)
      : displayPath(paths().root, await appendJournal(paths(), storyId, entry));
    const left = open.length - 1;
    if (out.json)
      return void out.value({
        story: storyId,
        entry: { id: idOf(entry), ...entry },
        file,
        openBlockers: left,
      });
    out.lines([
      `${out.paint('done', '✓')} resolved: ${cleanLine(blocker.title)} → ${file}`,
      left > 0
        ? `  ${left} more: saga blockers ${storyId}`
        : `  ${describeResume(paths(), storyId, remote !== undefined)}`,
    ]);
    return 0;
  },
};

function pick(open: readonly ReadEntry[], storyId: string, { text }: Invocation): ReadEntry {
  const [first, second] = open;
  const wanted = text('blocker');
  if (!first) {
    throw new SagaError(
      'not-found',
      `Story ${storyId} has no open blocker.`,
      `saga journal ${storyId} shows earlier questions and answers.`,
    );
  }
  const titles = open.map((it) => it.title);
  const list = titles.map((title, i) => `${i + 1}. ${cleanLine(title)}`).join('\n');
  if (wanted === undefined) {
    if (!second) return first;
    throw new SagaError(
      'usage',
      `Story ${storyId} has ${open.length} open blockers.`,
      `Say which: saga resolve ${storyId} --blocker 1\n${list}`,
    );
  }
  const found =
    open[/^\d+$/.test(wanted) ? Number(wanted) - 1 : -1] ??
    open.find((it) => it.id === wanted) ??
    open.find((it) => it.title.toLowerCase() === wanted.toLowerCase()) ??
    open.find((it) => it.title === findNearest(wanted, titles));
  if (found) return found;
  throw new SagaError(
    'not-found',
    `No open blocker ${JSON.stringify(wanted)}.`,
    `The open blockers are:\n${list}`,
  );
}

async function readAnswer(blocker: ReadEntry, { text }: Invocation): Promise<string> {
  const given = text('with');
  const answer = given === '-' ? readStandardInput() : (given ?? (await askInEditor(blocker)));
  if (answer.trim() !== '') return answer.trim();
  throw new SagaError('edit-refused', 'The answer is empty.', 'Nothing was written.');
}

/** Shows the question as quoted lines above the answer. They are removed from the answer. */
async function askInEditor({ title, body }: ReadEntry): Promise<string> {
  const question = `${title}\n\n${body}`.trimEnd().replace(/^/gm, '> ');
  const written = await writeInEditor('answer.md', `${question}\n\n`, environment.editor());
  return written.startsWith(question) ? written.slice(question.length) : written;
}
