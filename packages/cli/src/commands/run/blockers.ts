import { loadOverview } from '@saga-ai/core/overview/overview';
import { loadStory } from '@saga-ai/core/plan/stories';
import { findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import { isForYou } from '@saga-ai/types/screens/inbox';
import type { BlockersJson } from '@saga-ai/types/screens/json/run';
import { formatAge } from '@saga-ai/types/words/times';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { cleanLine, wrap } from '../../output/text.ts';

export const command: Command<BlockersJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.BlockersJson),
  about: `Shows the open questions in full. saga inbox lists everything that waits for you.`,
  args: [{ name: 'story', help: 'only the blockers of this story', complete: 'story' }],
  async run({ paths, out, args }) {
    const { stories, problems } = await loadOverview(paths(), environment.handedOver());
    const waiting = stories.filter(
      (it) =>
        (args[0] === undefined || it.id === args[0]) &&
        it.needsYou?.some(({ kind }) => kind === 'blocker'),
    );
    if (args[0] !== undefined) loadStory(paths(), args[0]);
    const blockers = waiting.flatMap(({ id }) =>
      findOpenBlockers(parseJournal(loadStory(paths(), id).journal).entries).map((entry) => ({
        story: id,
        ...entry,
      })),
    );
    if (out.json) return void out.value({ blockers, problems });
    if (blockers.length === 0) {
      const others = args[0] === undefined && stories.some(isForYou);
      return void out.lines([
        'No blocker is open.',
        ...(others ? ['Something else waits for you: saga inbox'] : []),
      ]);
    }
    const width = Math.min(out.width, 100) - 2;
    out.lines(
      blockers.flatMap(({ story, title, time, body }) => [
        `${out.paint('needs-you', '!')} ${out.paint('strong', story)}  ${cleanLine(title)}${time ? `  ${out.paint('quiet', formatAge(time, Date.now()))}` : ''}`,
        ...(body === '' ? [] : wrap(body, width).map((line) => `  ${line}`.trimEnd())),
        `  → saga resolve ${story} --with "…"`,
      ]),
    );
    return 0;
  },
};
