import { createInEditor } from '@saga-ai/core/authoring/write-draft';
import { acceptDraft } from '@saga-ai/core/drafts/accept-draft';
import { saveDraft } from '@saga-ai/core/drafts/draft-box';
import { openDraft } from '@saga-ai/core/drafts/open-draft';
import { SagaError } from '@saga-ai/core/errors';
import type { Paths } from '@saga-ai/core/project/paths';
import { listVerify } from '@saga-ai/core/trust/list-parts';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import type { FollowUp } from '@saga-ai/types/plan/follow-up';
import type { DraftsAcceptJson } from '@saga-ai/types/screens/json/drafts';
import { YES_OPTION } from '../../ask-first.ts';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { askChoice } from '../../proposal/ask-choice.ts';
import { canAsk } from '../../trust/settle-trust.ts';
import { formatDraft } from './draft-lines.ts';

export const command: Command<DraftsAcceptJson> = {
  output: () => import('@saga-ai/types/screens/json/drafts').then((it) => it.DraftsAcceptJson),
  args: [{ name: 'number', help: 'the number of a draft', required: true }],
  options: {
    epic: { type: 'text', value: 'ID', help: 'add the story to this epic (default: to none)' },
    edit: { type: 'boolean', help: 'open it in your editor first' },
    ...YES_OPTION,
  },
  about: `Shows the draft, asks, and makes it a story. A run wrote it, so read its verify command before you agree: it
will run on this machine. Without a terminal --yes is needed; then the first saga run asks whether you trust the
command.`,
  examples: [
    'saga drafts accept 3',
    'saga drafts accept 3 --epic checkout',
    'saga drafts accept 3 --edit',
  ],
  async run(invocation) {
    const { paths, out, args } = invocation;
    const draft = openDraft(paths(), args[0] ?? '');
    const story = await accept(invocation, draft);
    if (out.json) return void out.value({ number: draft.number, story: story ?? null });
    out.lines(
      story === undefined
        ? ['Nothing was created.']
        : [`${out.paint('done', '✓')} story ${story}`, `  Look at it: saga show ${story}`],
    );
    return 0;
  },
};

async function accept(
  invocation: Invocation<DraftsAcceptJson>,
  draft: FollowUp,
): Promise<string | undefined> {
  const { paths, text, flag } = invocation;
  const project = paths();
  if (draft.state === 'accepted') return (await acceptDraft(project, draft, undefined)).story;
  const choice = flag('edit') ? 'e' : await choose(invocation, draft);
  if (choice === 'e') return acceptEdited(project, draft);
  if (choice !== 'y') return undefined;
  const { story } = await acceptDraft(project, draft, text('epic'));
  // A person who was asked has seen the verify command. With --yes, no person has seen it.
  if (!flag('yes')) await agreeTo(project, story);
  return story;
}

async function choose(
  { out, flag }: Invocation<DraftsAcceptJson>,
  draft: FollowUp,
): Promise<string> {
  if (flag('yes')) return 'y';
  if (!canAsk(out)) {
    throw new SagaError(
      'usage',
      `Draft ${draft.number} was written by a run. Nothing was created, because nobody can be asked here.`,
      `Read it: saga drafts show ${draft.number}. Then say that you want it: add --yes`,
    );
  }
  out.lines(formatDraft(draft, out));
  return askChoice('Make it a story? y yes, e open it in your editor, N no: ');
}

async function acceptEdited(paths: Paths, draft: FollowUp): Promise<string | undefined> {
  const created = await createInEditor(paths, draft.text, environment.requireEditor());
  const [story] = created?.stories ?? [];
  if (story === undefined) return undefined;
  await saveDraft(paths, draft.number, { state: 'accepted', story });
  await agreeTo(paths, story);
  return story;
}

const agreeTo = (paths: Paths, story: string): Promise<void> =>
  agreeToOwn(paths, listVerify(paths, story), environment.variables());
