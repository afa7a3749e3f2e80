import { createHash } from 'node:crypto';
import { acceptDraft, foreseeAccept } from '@saga-ai/core/drafts/accept-draft';
import { dropDrafts } from '@saga-ai/core/drafts/drop-drafts';
import { openDraft } from '@saga-ai/core/drafts/open-draft';
import { SagaError } from '@saga-ai/core/errors';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { Paths } from '@saga-ai/core/project/paths';
import { listVerify } from '@saga-ai/core/trust/list-parts';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import { viewDraft } from '@saga-ai/types/plan/follow-up';
import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import type { AcceptRequest, DraftAnswer } from '@saga-ai/types/screens/planning';
import type { ActionContext } from '../actions/action-context.ts';

/** A draft in full, and what accepting it would create. */
export async function loadDraft(paths: Paths, number: string): Promise<DraftAnswer> {
  const draft = openDraft(paths, number);
  const { text, faults } = draft;
  const creates = await foreseeAccept(paths, draft);
  return { ...viewDraft(draft), text, faults, seen: digestOf(text), creates: creates ?? null };
}

/** Makes a story of a draft, if the draft is still as the person saw it. */
export async function acceptSeen(
  { paths, env }: ActionContext,
  project: LiveProject,
  number: string,
  body: unknown,
): Promise<ActionAnswer> {
  const { seen } = (body ?? {}) as Partial<AcceptRequest>;
  const draft = openDraft(paths, number);
  if (seen !== digestOf(draft.text)) {
    throw new SagaError(
      'edit-refused',
      `Draft ${draft.number} has changed since you looked at it. Nothing was created.`,
      'Look at it again.',
    );
  }
  const { story } = await acceptDraft(paths, draft, undefined);
  // The person who accepts the draft has seen its verify command.
  await agreeToOwn(paths, listVerify(paths, story), env);
  await project.lookAt([story]);
  return { ok: true, message: `Draft ${draft.number} is story ${story} now.` };
}

/** Takes a draft out of the inbox, as `saga drafts drop` does. */
export async function dropSeen({ paths }: ActionContext, number: string): Promise<ActionAnswer> {
  const [dropped] = await dropDrafts(paths, [number]);
  return {
    ok: true,
    message: `Dropped draft ${dropped}. It can still be accepted: saga drafts accept ${dropped}`,
  };
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
