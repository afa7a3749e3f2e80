import { loadOverview } from '@saga-ai/core/overview/overview';
import { listArchived } from '@saga-ai/core/plan/archived';
import type { ListJson } from '@saga-ai/types/screens/json/plan';
import { stateOfEpic, stateOfStory } from '@saga-ai/types/screens/story-state';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { formatRows } from '../../output/rows.ts';
import { describeStory, formatProgress } from '../../output/state.ts';

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
    archived: { type: 'boolean', help: 'list the ids in the archive instead' },
  },
  async run({ paths, out, text, flag }) {
    if (flag('archived')) {
      const archived = [...listArchived(paths())].sort();
      if (out.json) return void out.value({ archived });
      return void out.lines(archived.length > 0 ? archived : ['The archive is empty.']);
    }
    const overview = await loadOverview(paths(), environment.handedOver());
    const fits = (item: { epic: string | null; labels: string[]; status: string }) =>
      (text('epic') === undefined || item.epic === text('epic')) &&
      (text('label') === undefined || item.labels.includes(text('label') ?? '')) &&
      (text('status') === undefined || item.status === text('status'));
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
        { text: epic.id, tone: 'strong' as const },
        { text: formatProgress(epic.progress) },
        { text: epic.title, flexible: true },
        { text: 'epic', tone: 'quiet' as const, flexible: true },
      ]),
      ...stories.map((story) => {
        const { glyph, tone } = stateOfStory(story);
        return [
          { text: glyph, tone },
          { text: story.id },
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
