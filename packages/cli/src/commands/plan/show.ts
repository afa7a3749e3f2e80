import { loadOverview } from '@saga-ai/core/overview/overview';
import { notFound, notFoundTask } from '@saga-ai/core/plan/not-found';
import { loadItem } from '@saga-ai/core/plan/resolve';
import type { LoadedStory } from '@saga-ai/core/plan/stories';
import { displayPath } from '@saga-ai/core/project/display-path';
import type { Paths } from '@saga-ai/core/project/paths';
import type { Epic } from '@saga-ai/types/plan/epic';
import { findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import type { Task } from '@saga-ai/types/plan/task';
import { isForYou } from '@saga-ai/types/screens/inbox';
import type { ShowJson } from '@saga-ai/types/screens/json/plan';
import { STATES, stateOfEpic, stateOfStory } from '@saga-ai/types/screens/story-state';
import { count } from '@saga-ai/types/words/amounts';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { ITEM_ARGUMENTS, readItemArguments } from '../../item-arguments.ts';
import type { Output } from '../../output/output.ts';
import { formatRows } from '../../output/rows.ts';
import { describeStory, formatProgress } from '../../output/state.ts';
import { toStoryRow } from '../../output/story-row.ts';
import { toTaskRows } from '../../output/task-rows.ts';
import { cleanLine, hang, wrap } from '../../output/text.ts';

export const command: Command<ShowJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.ShowJson),
  args: ITEM_ARGUMENTS,
  examples: ['saga show cart-api', 'saga show cart-api endpoint-tests'],
  async run({ paths, out, args }) {
    const { id, taskId } = readItemArguments(args);
    const item = loadItem(paths(), id);
    if (item.kind === 'epic') return showEpic(item.epic, paths(), out);
    return taskId === undefined ? showStory(item, paths(), out) : showTask(item, taskId, out);
  },
};

async function showStory(
  loaded: LoadedStory,
  paths: Paths,
  out: Output<ShowJson>,
): Promise<undefined> {
  const { story, tasks, journal, home, problems } = loaded;
  const view = (await loadOverview(paths, environment.handedOver())).stories.find(
    (it) => it.id === story.id,
  );
  // Archived or removed since it was read.
  if (!view) throw notFound(paths, story.id);
  const { entries } = parseJournal(journal);
  if (out.json) {
    const location = displayPath(paths.root, home);
    return void out.value({
      story: { ...story, ...view, home: location },
      tasks,
      journal: entries,
      problems,
    });
  }
  out.problems(problems);
  const state = stateOfStory(view);
  const blockers = findOpenBlockers(entries);
  out.lines([
    `${out.paint(state.tone, state.glyph)} ${out.paint('strong', cleanLine(story.title))}`,
    ...hang(
      '  ',
      [
        story.id,
        formatProgress(view.progress),
        story.epic ? `epic ${story.epic}` : '',
        story.branch ?? '',
        displayPath(paths.root, home),
      ]
        .filter(Boolean)
        .map(cleanLine)
        .join(' · '),
      out.width,
    ),
    ...hang('  ', out.paint(state.tone, describeStory(view)), out.width),
    ...hang('  ', cleanLine(view.remedy ?? ''), out.width),
    ...(view.next !== null && (isForYou(view) || !view.running) ? [`  → ${view.next}`] : []),
    ...section('', story.description, out),
    ...section('Guidance', story.guidance, out),
    ...section('Done when', story.doneWhen, out),
    ...section('Avoid', story.avoid, out),
    '',
    out.paint('strong', 'Tasks'),
    ...(tasks.length > 0
      ? formatRows(toTaskRows(tasks), { ...out, indent: '  ' })
      : ['  none yet']),
    ...blockers.flatMap((blocker) =>
      section(`Blocker: ${cleanLine(blocker.title)}`, blocker.body || ' ', out),
    ),
    ...(entries.length > 0
      ? ['', `Journal, ${count(entries.length, 'entry', 'entries')}: saga journal ${story.id}`]
      : []),
  ]);
}

function showTask({ story, tasks }: LoadedStory, taskId: string, out: Output<ShowJson>): undefined {
  const task: Task | undefined = tasks.find((it) => it.id === taskId);
  if (!task)
    throw notFoundTask(
      story.id,
      taskId,
      tasks.map((it) => it.id),
    );
  if (out.json) return void out.value({ story: story.id, task });
  const row = toTaskRows(tasks).find((cells) => cells[1]?.text === taskId) ?? [];
  out.lines([
    ...formatRows([row], out),
    `  ${story.id}${task.blockedBy.length > 0 ? ` · blocked by ${task.blockedBy.join(', ')}` : ''}`,
    ...section('', task.description, out),
    ...section('Guidance', task.guidance, out),
    ...section('Done when', task.doneWhen, out),
  ]);
}

async function showEpic(epic: Epic, paths: Paths, out: Output<ShowJson>): Promise<undefined> {
  const overview = await loadOverview(paths, environment.handedOver());
  const storyOf = new Map(overview.stories.map((it) => [it.id, it]));
  const epicOf = new Map(overview.epics.map((it) => [it.id, it]));
  const view = epicOf.get(epic.id);
  // Archived or removed since it was read.
  if (!view) throw notFound(paths, epic.id);
  const children = epic.children.map((child) => ({
    child,
    story: storyOf.get(child.id),
    epic: epicOf.get(child.id),
  }));
  const problems = overview.problems.filter((it) => it.epic === epic.id);
  if (out.json) {
    const stories = children.flatMap(({ story }) => story ?? []);
    return void out.value({ epic: { ...epic, ...view }, stories, problems });
  }
  out.problems(problems);
  out.lines([
    out.paint('strong', cleanLine(epic.title)),
    `  ${[epic.id, 'epic', `${formatProgress(view.progress)} stories`, view.inReview > 0 ? `${view.inReview} in review` : '', epic.branch ?? '', epic.pr ?? ''].filter(Boolean).join(' · ')}`,
    ...section('', epic.description, out),
    '',
    out.paint('strong', 'Children'),
    ...formatRows(
      children.map(({ child, story, epic: nested }) => {
        if (!story) {
          const note = nested ? `epic, ${formatProgress(nested.progress)} stories` : 'missing';
          const { glyph, tone } = nested ? stateOfEpic(nested) : STATES.failed;
          return [{ text: glyph, tone }, { text: child.id }, { text: '' }, { text: note }];
        }
        return toStoryRow(story);
      }),
      { ...out, indent: '  ' },
    ),
  ]);
}

function section(title: string, body: string | undefined, out: Output): string[] {
  if (!body) return [];
  const width = Math.min(out.width, 100) - 2;
  const lines = wrap(body.trimEnd(), width).map((line) => `  ${line}`.trimEnd());
  return title === '' ? ['', ...lines] : ['', out.paint('strong', title), ...lines];
}
