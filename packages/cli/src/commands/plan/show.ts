import { loadAsMarkdown } from '@saga-ai/core/authoring/as-markdown';
import { loadEpicCalls } from '@saga-ai/core/epic/look/load-epic-calls';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import { loadEvidence } from '@saga-ai/core/plan/load-evidence';
import { notFound, notFoundTask } from '@saga-ai/core/plan/not-found';
import { loadItem } from '@saga-ai/core/plan/resolve';
import type { LoadedStory } from '@saga-ai/core/plan/stories';
import { displayPath } from '@saga-ai/core/project/display-path';
import type { Paths } from '@saga-ai/core/project/paths';
import type { Epic } from '@saga-ai/types/plan/epic';
import { findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import { isForYou } from '@saga-ai/types/screens/inbox';
import type { ShowJson } from '@saga-ai/types/screens/json/plan';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { STATES, stateOfEpic, stateOfStory } from '@saga-ai/types/screens/story-state';
import { adviseAfterGate } from '@saga-ai/types/words/advise-after-gate';
import { count } from '@saga-ai/types/words/amounts';
import type { Command } from '../../command.ts';
import { describeWorktree } from '../../describe-worktree.ts';
import { environment } from '../../environment.ts';
import { ITEM_ARGUMENTS, readItemArguments } from '../../item-arguments.ts';
import { formatAdvice, formatChecks, formatVerifyEnd } from '../../output/gate-report.ts';
import type { Output } from '../../output/output.ts';
import { formatRows } from '../../output/rows.ts';
import { describeStory, formatProgress } from '../../output/state.ts';
import { toStoryRow } from '../../output/story-row.ts';
import { toTaskRows } from '../../output/task-rows.ts';
import { cleanLine, hang, wrap } from '../../output/text.ts';

export const command: Command<ShowJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.ShowJson),
  args: ITEM_ARGUMENTS,
  options: {
    markdown: { type: 'boolean', help: 'print the plan as Markdown, as saga create reads it' },
  },
  about: `With --markdown, a story is printed with its tasks and an epic with its stories. What workers write, such
as the branch and the attempts, is left out.`,
  examples: [
    'saga show cart-api',
    'saga show cart-api endpoint-tests',
    'saga show checkout --markdown > checkout.md',
  ],
  async run({ paths, out, args, flag }) {
    const { id, taskId } = readItemArguments(args);
    if (flag('markdown')) {
      const { markdown, problems } = await loadAsMarkdown(paths(), id);
      if (out.json) return void out.value({ markdown, problems });
      out.problems(problems);
      return void out.lines(markdown.replace(/\n$/, '').split('\n'));
    }
    const item = loadItem(paths(), id);
    if (item.kind === 'epic') return showEpic(item.epic, paths(), out);
    return taskId === undefined
      ? showStory(item, paths(), out)
      : showTask(item, taskId, paths(), out);
  },
};

async function showStory(
  loaded: LoadedStory,
  paths: Paths,
  out: Output<ShowJson>,
): Promise<undefined> {
  const { story, tasks, journal, home, unknown } = loaded;
  const problems = [...loaded.problems, ...unknown];
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
        story.pr ?? '',
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
    ...(view.behind && view.state !== 'running'
      ? [`  → saga update ${story.id}   brings in ${count(view.behind, 'commit')} of its base`]
      : []),
    ...section('', story.description, out),
    ...fields(story, STORY_SECTIONS, out, ['verify', 'writeFiles']),
    ...section('Checked with', describeChecks(story, paths), out),
    ...showGate(loaded, view, paths, out),
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

/** Describes what the gate of the story checks. */
function describeChecks({ verify, writeFiles = [] }: Story, paths: Paths): string {
  const { gate } = loadConfigOrDefaults(paths, { environment: environment.handedOver() });
  const command = verify ?? gate.verify;
  const where = gate.clean ? 'in a clean checkout' : 'in the worktree';
  return [
    command === null
      ? 'unverified: there is no verify command (saga config gate.verify "…")'
      : `${command} (${where})`,
    ...(writeFiles.length > 0 ? [`changes only in ${writeFiles.join(', ')}`] : []),
  ].join('\n');
}

/** A gate that failed: the checks that failed, what verify printed, and what to do. */
function showGate(
  { home, story }: LoadedStory,
  { state }: StoryView,
  paths: Paths,
  out: Output<ShowJson>,
): string[] {
  const evidence = state === 'done' ? undefined : loadEvidence(paths, home);
  if (evidence?.outcome !== 'failed') return [];
  const failed = evidence.checks.filter((check) => check.outcome === 'failed');
  return [
    '',
    out.paint('strong', 'The gate failed'),
    ...formatChecks(failed, out),
    ...formatVerifyEnd(evidence, out),
    ...formatAdvice(
      adviseAfterGate({
        storyId: story.id,
        worktree: describeWorktree(paths, story.id),
        checks: failed.map(({ name }) => name),
      }),
      out.width,
    ),
  ];
}

function showTask(
  { story, tasks }: LoadedStory,
  taskId: string,
  paths: Paths,
  out: Output<ShowJson>,
): undefined {
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
    ...fields(task, TASK_SECTIONS, out, ['needsTests']),
    ...section('Tests first', task.needsTests ? describeTestsFirst(paths) : undefined, out),
  ]);
}

/** Fields that the head or a row of the page already shows. All other fields are listed below it. */
const SAID = ['id', 'title', 'subject', 'description', 'status', 'blockedBy', 'branch', 'pr'];

type Sections = readonly (readonly [field: string, title: string])[];

const COMMON: Sections = [
  ['guidance', 'Guidance'],
  ['doneWhen', 'Done when'],
  ['avoid', 'Avoid'],
  ['writeFiles', 'May change'],
  ['labels', 'Labels'],
];
const STORY_SECTIONS: Sections = COMMON;
const TASK_SECTIONS: Sections = [
  ...COMMON,
  ['noChange', 'Changes nothing'],
  ['area', 'Area'],
  ['activeForm', 'While at work'],
  ['attempts', 'Attempts'],
  ['lastOutcome', 'Last attempt'],
  ['escalated', 'Tried too often'],
  ['rehearsal', 'Rehearsal'],
];

/** Shows every field that has a value: those with a title of their own first. */
function fields(
  item: Story | Task | Epic,
  sections: Sections,
  out: Output,
  /** Fields that are left out, because another line shows them. */
  without: readonly string[] = [],
): string[] {
  const named = new Set([...SAID, ...HIDDEN, ...without, ...sections.map(([field]) => field)]);
  const others = Object.keys(item).filter((field) => !named.has(field));
  const shown = sections.filter(([field]) => !without.includes(field));
  const all = [...shown, ...others.map((field) => [field, field] as const)];
  return all.flatMap(([field, title]) => section(title, formatField(item[field]), out));
}

/** Fields that the line with the place shows, or that a reader does not need. */
const HIDDEN = ['epic', 'worktree', 'children', '$schema'];

function formatField(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const isList = Array.isArray(value) && value.every((it) => typeof it === 'string');
  if (isList) return value.length === 0 ? 'none' : value.join('\n');
  return JSON.stringify(value, null, 2);
}

/** Says what `needsTests` does here. Every run is told of it; one mode also starts a run that writes only the tests. */
function describeTestsFirst(paths: Paths): string {
  const { worker } = loadConfigOrDefaults(paths, { environment: environment.handedOver() });
  return worker.mode === 'task'
    ? 'a run of its own writes the tests before the work begins'
    : 'the run is told to write the tests before the code';
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
  const call = (await loadEpicCalls(paths, overview)).find((it) => it.epic.id === epic.id);
  out.lines([
    out.paint('strong', cleanLine(epic.title)),
    `  ${[epic.id, 'epic', `${formatProgress(view.progress)} stories`, view.inReview > 0 ? `${view.inReview} in review` : '', epic.branch ?? '', epic.pr ?? ''].filter(Boolean).join(' · ')}`,
    ...(call
      ? [...hang('  ', `${call.state}: ${call.reason}`, out.width), `  → ${call.next}`]
      : []),
    ...section('', epic.description, out),
    ...fields(epic, COMMON, out),
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
