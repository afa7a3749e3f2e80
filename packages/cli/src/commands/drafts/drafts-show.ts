import { openDraft } from '@saga-ai/core/drafts/open-draft';
import { viewDraft } from '@saga-ai/types/plan/follow-up';
import type { DraftsShowJson } from '@saga-ai/types/screens/json/drafts';
import type { Command } from '../../command.ts';
import { formatDraft } from './draft-lines.ts';

export const command: Command<DraftsShowJson> = {
  output: () => import('@saga-ai/types/screens/json/drafts').then((it) => it.DraftsShowJson),
  args: [{ name: 'number', help: 'the number of a draft', required: true }],
  run({ paths, out, args }) {
    const draft = openDraft(paths(), args[0] ?? '');
    const { number, text, faults, state, story } = draft;
    if (out.json) {
      return void out.value({ draft: viewDraft(draft), text, faults, story: story ?? null });
    }
    out.lines([
      ...formatDraft(draft, out),
      state === 'accepted'
        ? `It is story ${story}: saga show ${story}`
        : `Accept it: saga drafts accept ${number}   Drop it: saga drafts drop ${number}`,
    ]);
    return 0;
  },
};
