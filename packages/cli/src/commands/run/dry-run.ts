import type { EpicItem } from '@saga-ai/core/epic/layout';
import { type Experience, forecast } from '@saga-ai/core/epic/look/forecast';
import { survey } from '@saga-ai/core/epic/survey';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { loadConfig } from '@saga-ai/core/plan/config';
import type { Paths } from '@saga-ai/core/project/paths';
import { loadSessionRecords } from '@saga-ai/core/records/session-records';
import type { DryRunJson, RunJson } from '@saga-ai/types/screens/json/run';
import { count, formatDuration, formatUsd } from '@saga-ai/types/words/amounts';
import { findMedian } from '@saga-ai/types/words/median';
import type { Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { readEpicOptions } from '../../epic-options.ts';
import { wrap } from '../../output/text.ts';
import { loadItems } from './run-epic.ts';

/** Prints what running an epic would do, and changes nothing. */
export async function printDryRun(
  invocation: Invocation<RunJson>,
  epicId: string,
): Promise<number> {
  const { paths, out } = invocation;
  const env = environment.handedOver();
  const { config } = loadConfig(paths(), { environment: env });
  const items = loadItems(paths(), epicId);
  const { jobs, chosen } = readEpicOptions(invocation, config, items);
  const overview = await loadOverview(paths(), env);
  const all = survey(items, overview, new Map());
  const candidates = chosen ? all.filter((it) => it.kind === 'epic' || chosen.has(it.id)) : all;
  const seen = forecast(candidates, jobs, loadExperience(paths(), items));
  if (out.json) {
    out.value({
      epic: epicId,
      jobs,
      ...seen,
      estimate: seen.estimate ?? null,
    } satisfies DryRunJson);
    return 0;
  }
  const { levels, criticalPath, overlaps, timeline, estimate } = seen;
  const stories = levels.flat().length;
  if (stories === 0) {
    out.lines([`${epicId}: every story is merged; nothing would run.`]);
    return 0;
  }
  const lines = (head: string, text: string) =>
    wrap(text, out.width - head.length).map(
      (line, i) => (i === 0 ? head : ' '.repeat(head.length)) + line,
    );
  const rounds = Map.groupBy(timeline, ({ from }) => from);
  out.lines([
    `${out.paint('strong', epicId)}  ${count(stories, 'story', 'stories')} in ${count(levels.length, 'level')}, ${jobs} at the same time`,
    '',
    ...shorten(levels).flatMap((level, i) =>
      lines(`  ${`level ${i + 1}`.padEnd(10)}`, level.join(', ')),
    ),
    ...omit(levels, 'level'),
    '',
    'Would run together:',
    ...shorten([...rounds.values()]).flatMap((round, i) =>
      lines(`  ${`${i + 1}.`.padEnd(10)}`, round.map(({ id }) => id).join(', ')),
    ),
    ...omit([...rounds.values()], 'round'),
    '',
    ...lines('critical path  ', formatPath(criticalPath)),
    ...shorten(overlaps).flatMap(([a, b]) =>
      lines('not together   ', `${a} and ${b} write the same files`),
    ),
    ...omit(overlaps, 'pair'),
    estimate
      ? `estimate       ${formatDuration(estimate.minutes * 60_000)}, ${formatUsd(estimate.usd)}, by ${count(estimate.basedOn, 'earlier story', 'earlier stories')}`
      : 'estimate       none: no story was finished here yet',
    '',
    `to run it: saga run ${epicId}`,
  ]);
  return 0;
}

/** The most stories that are printed, so that a large plan does not fill the screen. --json prints all of them. */
const MOST = 12;
const shorten = <T>(all: readonly T[]): readonly T[] => all.slice(0, MOST);
const omit = (all: readonly unknown[], one: string): string[] =>
  all.length > MOST ? [`  … and ${count(all.length - MOST, `more ${one}`)}`] : [];

function formatPath(path: readonly string[]): string {
  if (path.length <= MOST) return path.join(' → ');
  const ends = [...path.slice(0, MOST - 2), '…', ...path.slice(-1)];
  return `${ends.join(' → ')} (${path.length} stories)`;
}

/** Returns the medians of the sessions that ended well: those of this epic or, if it has none, those of the project. */
function loadExperience(paths: Paths, items: readonly EpicItem[]): Experience | undefined {
  const done = loadSessionRecords(paths).records.filter(
    ({ outcome, endedAt, isEpic }) => outcome === 'done' && endedAt !== undefined && !isEpic,
  );
  const ids = new Set(items.map((it) => it.id));
  const ours = done.filter(({ story }) => ids.has(story));
  const records = ours.length > 0 ? ours : done;
  if (records.length === 0) return undefined;
  const minutes = records.map(
    ({ startedAt, endedAt = startedAt }) => (Date.parse(endedAt) - Date.parse(startedAt)) / 60_000,
  );
  return {
    stories: records.length,
    minutes: findMedian(minutes),
    usd: findMedian(records.map(({ costUsd }) => costUsd)),
  };
}
