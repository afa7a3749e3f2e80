import { loadOverview } from '@saga-ai/core/overview/overview';
import type { ReadyJson } from '@saga-ai/types/screens/json/plan';
import { stateOfStory } from '@saga-ai/types/screens/story-state';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { formatRows } from '../../output/rows.ts';
import { formatProgress } from '../../output/state.ts';

export const command: Command<ReadyJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.ReadyJson),
  about: `A story is ready when everything that it depends on is done (its gate passed, and it is merged into the
base), nobody has begun it, nothing in it needs a person, and its files are valid.`,
  async run({ paths, out }) {
    const { stories, problems } = await loadOverview(paths(), environment.handedOver());
    const ready = stories.filter((story) => story.ready);
    if (out.json) return void out.value({ stories: ready, problems });
    out.problems(problems);
    if (ready.length === 0) return void out.lines(['No story is ready. saga status says why.']);
    const rows = ready.map((story) => [
      { text: stateOfStory(story).glyph, tone: stateOfStory(story).tone },
      { text: story.id, isId: true },
      { text: formatProgress(story.progress) },
      { text: story.title, flexible: true },
    ]);
    out.lines(formatRows(rows, out));
    return 0;
  },
};
