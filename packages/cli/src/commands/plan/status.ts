import { loadEpicCalls } from '@saga-ai/core/epic/look/load-epic-calls';
import { listFolder } from '@saga-ai/core/files/list-folder';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { notFound } from '@saga-ai/core/plan/not-found';
import type { Paths } from '@saga-ai/core/project/paths';
import { isForYou } from '@saga-ai/types/screens/inbox';
import type { StatusJson } from '@saga-ai/types/screens/json/plan';
import type { EpicCall, EpicView, Overview, StoryView } from '@saga-ai/types/screens/overview';
import { isStalled, listStallCommands } from '@saga-ai/types/screens/stall';
import { stateOfEpic } from '@saga-ai/types/screens/story-state';
import { formatEpicBranch, parseEpicSession } from '@saga-ai/types/words/names';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import type { Output } from '../../output/output.ts';
import { formatRows } from '../../output/rows.ts';
import { formatBar, formatProgress } from '../../output/state.ts';
import { toStoryRow } from '../../output/story-row.ts';
import { hang } from '../../output/text.ts';

export const command: Command<StatusJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.StatusJson),
  args: [{ name: 'id', help: 'only this epic or story', complete: 'item' }],
  about: `The sign before each story or task means: ○ ready, ◌ waiting, ◐ started but not running,
● running, ◇ in review, ✓ done, ! needs you, ✗ failed. 2/3 means that 2 of 3 tasks are completed.
Below an epic stands what its run does, or how its last run ended, and the command that an epic waits for.`,
  options: {
    watch: { type: 'boolean', help: 'show it again whenever something changes, until Ctrl-C' },
  },
  examples: ['saga status', 'saga status shop --watch'],
  async run({ paths, out, args, flag }) {
    const choose = (overview: Overview) => {
      const shown = args[0] === undefined ? overview : pick(overview, args[0]);
      if (args[0] !== undefined && shown.stories.length + shown.epics.length === 0) {
        throw notFound(paths(), args[0]);
      }
      return shown;
    };
    const env = environment.handedOver();
    if (flag('watch')) {
      const { watchStatus } = await import('../../watch-status.ts');
      return await watchStatus(paths(), env, out, async (overview) => {
        const shown = choose(overview);
        return formatStatus(shown, out, await findEpicLines(paths(), shown));
      });
    }
    const shown = choose(await loadOverview(paths(), env));
    if (out.json) return void out.value(shown);
    out.problems(shown.problems);
    out.lines(formatStatus(shown, out, await findEpicLines(paths(), shown)));
    return 0;
  },
};

/** Texts that `saga status` shows beside epics. */
interface EpicLines {
  /** What the run of an epic does, by its id. */
  runs: ReadonlyMap<string, string>;
  /** What epics wait for, by their ids. */
  calls: ReadonlyMap<string, EpicCall>;
}

async function findEpicLines(paths: Paths, overview: Overview): Promise<EpicLines> {
  const calls = await loadEpicCalls(paths, overview);
  return {
    runs: await findRunLines(paths, overview),
    calls: new Map(calls.map((call) => [call.epic.id, call])),
  };
}

/** What the runs of epics do, by the epic's id. Most projects have none, and then no more code is loaded. */
async function findRunLines(
  paths: Paths,
  overview: Overview,
): Promise<ReadonlyMap<string, string>> {
  const names = listFolder(paths.root, paths.sessions);
  if (!names.some((it) => parseEpicSession(it.replace(/\.json$/, '')))) return NO_RUNS;
  const { loadRunLines } = await import('@saga-ai/core/epic/look/load-run-lines');
  return loadRunLines(paths, overview, Date.now());
}

const NO_RUNS: ReadonlyMap<string, string> = new Map();

function pick(overview: Overview, id: string): Overview {
  const inside = new Set([id]);
  const below = (item: { id: string; epic: string | null }) =>
    inside.has(item.id) || (item.epic !== null && inside.has(item.epic));
  // Epics may be nested: repeat until no further epic is found below this one.
  for (let size = 0; size !== inside.size; ) {
    size = inside.size;
    for (const epic of overview.epics) if (below(epic)) inside.add(epic.id);
  }
  return {
    ...overview,
    stories: overview.stories.filter(below),
    epics: overview.epics.filter(below),
  };
}

export function formatStatus(
  { stories, epics }: Overview,
  out: Output,
  lines: EpicLines = { runs: NO_RUNS, calls: new Map() },
): string[] {
  if (stories.length + epics.length === 0) return ['No stories yet: saga create'];
  const shownEpics = new Set(epics.map((epic) => epic.id));
  const isTop = (item: { epic: string | null }) => item.epic === null || !shownEpics.has(item.epic);
  const seen = new Set<string>();
  const needy = stories.filter((story) => story.needsYou || story.state === 'needs you');
  const interrupted = stories.filter((story) => story.state === 'interrupted');
  const needs = needy.length === 1 ? 'needs you' : 'need you';
  const standalone = stories.filter(isTop);
  const below: Below = {
    stories: Map.groupBy(stories, (story) => story.epic),
    epics: Map.groupBy(epics, (epic) => epic.epic),
    ...lines,
  };
  return [
    ...[...epics.filter(isTop), ...epics].flatMap((epic) =>
      // Epics in a circle have no top. The first one that was not shown yet starts its own tree.
      seen.has(epic.id) ? [] : formatEpic(epic, below, out, '', seen),
    ),
    ...formatRows(standalone.map(toStoryRow), out),
    ...formatCalls(needy, needs, out, (line) => out.paint('needs-you', line)),
    ...formatCalls(interrupted, 'interrupted', out, (line) => out.paint('waiting', line)),
    ...(stories.filter(isForYou).length + lines.calls.size > 1 ? ['', ALL] : []),
  ];
}

/** The most commands that are named. The inbox has all of them. */
const NAMED = 8;
const ALL = 'all that waits for you, with its reason: saga inbox';

/** Stories that wait for a person, and the command that helps each of them. */
function formatCalls(
  stories: readonly StoryView[],
  what: string,
  out: Output,
  paint: (line: string) => string,
): string[] {
  if (stories.length === 0) return [];
  const ids = stories.slice(0, NAMED).map((it) => it.id);
  const more = stories.length > NAMED ? `, and ${stories.length - NAMED} more` : '';
  return [
    '',
    ...hang('', paint(`${stories.length} ${what}: ${ids.join(', ')}${more}`), out.width, 2),
    ...stories.slice(0, NAMED).flatMap((story) => {
      const commands = isStalled(story) ? listStallCommands(story.id) : [story.next];
      return commands[0] === null ? [] : [`  → ${commands.join(', or ')}`];
    }),
  ];
}

/** Stories and epics, grouped by the epic they belong to. */
interface Below extends EpicLines {
  stories: ReadonlyMap<string | null, readonly StoryView[]>;
  epics: ReadonlyMap<string | null, readonly EpicView[]>;
}

function formatEpic(
  epic: EpicView,
  below: Below,
  out: Output,
  indent: string,
  seen: Set<string>,
): string[] {
  seen.add(epic.id);
  const { tone } = stateOfEpic(epic);
  const call = below.calls.get(epic.id);
  const extra = [
    epic.blockedBy.length > 0 ? `waits for ${epic.blockedBy.join(', ')}` : undefined,
    epic.branch ?? (call?.state === 'in review' ? formatEpicBranch(epic.id) : null),
    epic.pr,
  ].filter((it) => it !== undefined && it !== null);
  const order = new Map(epic.children.map((child, i) => [child.id, i]));
  const inOrder = (a: { id: string }, b: { id: string }) =>
    (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0);
  const children = (below.stories.get(epic.id) ?? []).toSorted(inOrder);
  const nested = (below.epics.get(epic.id) ?? []).filter((it) => !seen.has(it.id)).sort(inOrder);
  return [
    [
      `${indent}${out.paint('strong', epic.id)}`,
      'epic',
      out.paint(tone, formatBar(epic.progress)),
      `${formatProgress(epic.progress)} stories`,
      ...(epic.inReview > 0 ? [`${epic.inReview} in review`] : []),
      ...extra,
    ].join('  '),
    ...formatRun(below.runs.get(epic.id), out, `${indent}  `),
    ...formatRun(call && `${call.state}: ${call.next}`, out, `${indent}  `),
    ...formatRows(children.map(toStoryRow), { ...out, indent: `${indent}  ` }),
    ...nested.flatMap((it) => formatEpic(it, below, out, `${indent}  `, seen)),
  ];
}

const formatRun = (line: string | undefined, out: Output, indent: string): string[] =>
  line === undefined ? [] : hang(`${indent}▸ `, line, out.width, indent.length + 2);
