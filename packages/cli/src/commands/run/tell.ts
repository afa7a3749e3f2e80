import { writeInEditor } from '@saga-ai/core/authoring/edit-text';
import { describeNextRun } from '@saga-ai/core/epic/look/describe-resume';
import { SagaError } from '@saga-ai/core/errors';
import { requireMessage, tellStory } from '@saga-ai/core/messages/tell-story';
import { appendJournal } from '@saga-ai/core/plan/journal';
import { loadStory } from '@saga-ai/core/plan/stories';
import { findSession } from '@saga-ai/core/sessions/find-session';
import { waitForMessage } from '@saga-ai/core/sessions/wait-for-message';
import { buildFeedback } from '@saga-ai/types/plan/journal';
import type { TellJson } from '@saga-ai/types/screens/json/run';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { sayWord } from '../../fleet/say-word.ts';
import { readStandardInput } from '../../standard-input.ts';
import { askYesOrNo, canAsk } from '../../trust/settle-trust.ts';

export const command: Command<TellJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.TellJson),
  args: [
    { name: 'story', help: 'a story that is being worked on', required: true, complete: 'story' },
    { name: 'text', help: 'what to say; - for standard input (default: your editor)' },
  ],
  options: {
    interrupt: {
      type: 'boolean',
      help: 'stop what the run does at the moment, and let it read this first',
    },
    wait: { type: 'boolean', help: 'wait until the run has read it' },
    keep: {
      type: 'boolean',
      help: 'if nobody works on the story, keep it for the next run without asking',
    },
    stdin: { type: 'boolean', help: 'read the text from standard input' },
  },
  about: `Says something to the run that works on a story. The run reads it together with the result of its
current step, without losing anything, and goes on. What was read is noted in the story's journal.
If the run ends before it has read the message, the message becomes Feedback, and the next run is told.`,
  examples: [
    'saga tell cart-api "Use the helper in src/money.ts for rounding."',
    'saga tell cart-api --interrupt "Stop; look at the journal first."',
  ],
  async run(invocation) {
    const { paths, out, args, flag } = invocation;
    const storyId = args[0] ?? '';
    loadStory(paths(), storyId);
    const text = requireMessage(await readText(invocation));
    const said = { from: environment.userName(), text, interrupts: flag('interrupt') };
    const machine = await sayWord(paths(), storyId, 'tell', said);
    if (machine !== undefined) return tellElsewhere(invocation, storyId, machine);
    const message = tellStory(paths(), storyId, said);
    if (!message) return keep(invocation, storyId, text);
    const { session, outputFile } = findSession(paths(), storyId);
    const id = message.id;
    const end = flag('wait') ? await waitForMessage(paths(), session, outputFile, id) : 'sent';
    if (out.json) return void out.value({ story: storyId, id, session, result: end });
    const mark = out.paint('done', '✓');
    out.lines([
      end === 'heard'
        ? `${mark} the run of ${storyId} has read it`
        : end === 'kept'
          ? `${mark} the run ended before it read the message; it is Feedback for the next run`
          : `${mark} sent to the run of ${storyId}; it reads it after its current step`,
      ...(end === 'sent' ? [`  to see when it does: saga logs -f ${storyId}`] : []),
    ]);
    return 0;
  },
};

function tellElsewhere({ out }: Invocation<TellJson>, storyId: string, machine: string): number {
  if (out.json) out.value({ story: storyId, id: null, session: null, result: 'sent' });
  else {
    out.lines([
      `${out.paint('done', '✓')} sent to ${machine}; the run of ${storyId} reads it after its current step`,
      `  to see when it does: saga logs -f ${storyId}`,
    ]);
  }
  return 0;
}

/** Nobody works on the story: the text is kept for the next run, if the person wants that. */
async function keep(
  { paths, out, flag }: Invocation<TellJson>,
  storyId: string,
  text: string,
): Promise<number> {
  const isWanted =
    flag('keep') ||
    (canAsk(out) &&
      (await askYesOrNo(`Nobody works on ${storyId} now. Keep it for the next run? [y/N] `)));
  if (!isWanted) {
    throw new SagaError(
      'not-running',
      `No run works on ${storyId} now, so the message was not sent.`,
      `To tell the next run: saga tell ${storyId} --keep "…", or saga feedback ${storyId} "…"`,
    );
  }
  await appendJournal(paths(), storyId, buildFeedback(text, new Date().toISOString()));
  if (out.json) {
    out.value({ story: storyId, id: null, session: null, result: 'kept' });
    return 0;
  }
  out.lines([
    `${out.paint('done', '✓')} kept as Feedback for the next run of ${storyId}`,
    ...describeNextRun(paths(), storyId, {
      journal: loadStory(paths(), storyId).journal,
      purpose: 'to start it',
    }).map((line) => `  ${line}`),
  ]);
  return 0;
}

async function readText({ args, flag }: Invocation<TellJson>): Promise<string> {
  const [, given] = args;
  if (given === '-' || (given === undefined && flag('stdin'))) return readStandardInput();
  return given ?? (await writeInEditor('message.md', '', environment.requireEditor()));
}
