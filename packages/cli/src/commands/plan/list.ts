import { loadOverview } from '@saga-ai/core/overview/overview';
import { listArchived } from '@saga-ai/core/plan/archived';
import type { ListJson } from '@saga-ai/types/screens/json/plan';
import { LIFE_STATES, type LifeState } from '@saga-ai/types/screens/life';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { stateOfEpic, stateOfStory } from '@saga-ai/types/screens/story-state';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { formatRows } from '../../output/rows.ts';
import { describeStory, formatProgress } from '../../output/state.ts';

/** A state as one word, such as `needs-you`. */
function formatState(state: LifeState): string {
  return state.replace(' ', '-');
}

export const command: Command<ListJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.ListJson),
  options: {
    epic: { type: 'text', value: 'ID', help: 'only stories of this epic' },
    label: { type: 'text', value: 'LABEL', help: 'only stories and epics with this label' },
    status: {
      type: 'text',
      choices: ['pending', 'in_progress', 'completed'],
      help: 'only stories and epics with this status',
    },
    state: {
      type: 'text',
      choices: LIFE_STATES.map(formatState),
      help: 'only stories and epics in this state',
    },
    archived: { type: 'boolean', help: 'list the ids in the archive instead' },
  },
  async run({ paths, out, text, flag }) {
    if (flag('archived')) {
      const archived = [...listArchived(paths())].sort();
      if (out.json) return void out.value({ archived });
      return void out.lines(archived.length > 0 ? archived : ['The archive is empty.']);
    }
    const overview = await loadOverview(paths(), environment.handedOver());
    const fits = (item: Pick<StoryView, 'epic' | 'labels' | 'status' | 'state'>) =>
      (text('epic') === undefined || item.epic === text('epic')) &&
      (text('label') === undefined || item.labels.includes(text('label') ?? '')) &&
      (text('status') === undefined || item.status === text('status')) &&
      (text('state') === undefined || formatState(item.state) === text('state'));
    const stories = overview.stories.filter(fits);
    const epics = overview.epics.filter(fits);
    if (out.json) return void out.value({ stories, epics, problems: overview.problems });
    out.problems(overview.problems);
    if (stories.length + epics.length === 0) {
      const isEmpty = overview.stories.length + overview.epics.length === 0;
      return void out.lines([
        isEmpty ? 'No stories yet: saga create' : 'No story or epic matches.',
      ]);
    }
    const rows = [
      ...epics.map((epic) => [
        { text: stateOfEpic(epic).glyph, tone: stateOfEpic(epic).tone },
        { text: epic.id, tone: 'strong' as const, isId: true },
        { text: formatProgress(epic.progress) },
        { text: epic.title, flexible: true },
        { text: 'epic', tone: 'quiet' as const, flexible: true },
      ]),
      ...stories.map((story) => {
        const { glyph, tone } = stateOfStory(story);
        return [
          { text: glyph, tone },
          { text: story.id, isId: true },
          { text: formatProgress(story.progress) },
          { text: story.title, flexible: true },
          { text: describeStory(story), tone, flexible: true },
        ];
      }),
    ];
    out.lines(formatRows(rows, out));
    return 0;
  },
};
