import { loadDrafts } from '@saga-ai/core/drafts/draft-box';
import { viewDraft } from '@saga-ai/types/plan/follow-up';
import type { DraftsListJson } from '@saga-ai/types/screens/json/drafts';
import type { Command } from '../../command.ts';
import { formatDrafts } from './draft-lines.ts';

export const command: Command<DraftsListJson> = {
  output: () => import('@saga-ai/types/screens/json/drafts').then((it) => it.DraftsListJson),
  options: { all: { type: 'boolean', help: 'also those that were accepted or dropped' } },
  run({ paths, out, flag }) {
    const { drafts: all, problems } = loadDrafts(paths());
    const drafts = all.filter(({ state }) => flag('all') || state === 'open').map(viewDraft);
    if (out.json) return void out.value({ drafts, problems });
    out.problems(problems);
    if (drafts.length === 0) return void out.lines(['No draft waits for you.']);
    const [first] = drafts;
    out.lines([...formatDrafts(drafts, out), '', `Look at one: ${first?.next}`]);
    return 0;
  },
};
