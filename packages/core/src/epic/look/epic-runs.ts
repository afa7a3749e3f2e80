import { orderTopologically } from '@saga-ai/types/plan/graph';
import { findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import { EPIC_EVENTS } from '@saga-ai/types/run/epic-events';
import { findStoryNews } from '@saga-ai/types/screens/describe-story';
import { deriveRunState } from '@saga-ai/types/screens/epic-run/describe-run';
import type {
  EpicRun,
  EpicRunAnswer,
  HoldUp,
  RowWork,
  RunRow,
} from '@saga-ai/types/screens/epic-run/epic-run';
import { deriveReport } from '@saga-ai/types/screens/epic-run/report';
import {
  deriveSpans,
  type Period,
  type WorkedSession,
} from '@saga-ai/types/screens/epic-run/spans';
import { deriveInbox } from '@saga-ai/types/screens/inbox';
import type { SessionSummary } from '@saga-ai/types/screens/live';
import type { SessionView, StoryView } from '@saga-ai/types/screens/overview';
import { deriveStoryState } from '@saga-ai/types/screens/story-state';
import { type Cost, sumCosts } from '@saga-ai/types/words/amounts';
import { formatEpicBranch, parseEpicSession, parseSession } from '@saga-ai/types/words/names';
import { SagaError } from '../../errors.ts';
import { findLastWrite } from '../../files/change-time.ts';
import type { LiveProject } from '../../overview/live/live-project.ts';
import { loadConfigOrDefaults } from '../../plan/config.ts';
import { notFound } from '../../plan/not-found.ts';
import { type LoadedStory, loadStory } from '../../plan/stories.ts';
import { NotedEvents } from '../../records/noted-events.ts';
import { loadControl } from '../control.ts';
import { type EpicItem, layOut } from '../layout.ts';
import { type Candidate, type Schedule, schedule } from '../schedule.ts';
import { survey } from '../survey.ts';
import { describeHold } from './describe-hold.ts';
import { findHoldUps } from './find-hold-ups.ts';
import { findRemainingPath } from './forecast.ts';
import { forecastRun, NO_FORECAST } from './forecast-run.ts';
import { type RecalledRun, recallRun } from './recall-run.ts';
import { listCompletions, pairGates } from './session-steps.ts';

/** What is known of a run before it is put into words. */
interface Look {
  project: LiveProject;
  epicId: string;
  items: readonly EpicItem[];
  /** The scheduler's session. */
  session: SessionSummary | undefined;
  isAlive: boolean;
  recalled: RecalledRun;
  candidates: readonly Candidate[];
  decision: Schedule;
  criticalPath: readonly string[];
}

/** Looks at the newest runs of epics. Output files are read once, and later only what was appended. */
export class EpicRuns {
  readonly #project: LiveProject;
  readonly #events = new NotedEvents(Object.keys(EPIC_EVENTS) as (keyof typeof EPIC_EVENTS)[]);
  readonly #steps = new NotedEvents(['gate:start', 'gate:passed', 'gate:failed', 'task:status']);

  constructor(project: LiveProject) {
    this.#project = project;
  }

  async find(epicId: string): Promise<EpicRunAnswer> {
    const look = await this.#look(epicId);
    const { session, isAlive, candidates, decision, recalled } = look;
    const needy = listStuck(candidates);
    const state = deriveRunState({
      session: session?.state,
      isPaused: isAlive && loadControl(this.#project.paths, epicId).isPaused,
      isAtWork: decision.phase !== 'people' || recalled.merging !== undefined,
      needy,
    });
    const period = session && findPeriod(session);
    const rows = await this.#buildRows(look, period);
    const jobs = findJobs(look);
    const { forecast, expected } = isAlive
      ? forecastRun({ candidates, rows, now: Date.now(), jobs })
      : NO_FORECAST;
    const stories = rows.map((row) => ({ ...row, expected: expected.get(row.id) ?? null }));
    return {
      state,
      run:
        session && period
          ? { ...describeScheduler(look, session, period, stories), jobs, forecast }
          : null,
      stories,
      holdUps: buildHoldUps(look),
      criticalPath: [...look.criticalPath],
    };
  }

  async #look(epicId: string): Promise<Look> {
    const project = this.#project;
    const { overview, sessions, paths } = project;
    if (!overview.epic(epicId)) throw notFound(paths, epicId);
    const name = sessions.list(epicId).find((it) => parseEpicSession(it) !== undefined);
    const session = name === undefined ? undefined : sessions.find(name);
    const isAlive = session?.state === 'running';
    const events = session ? await this.#events.read(session.outputFile, session.outputSize) : [];
    const recalled = recallRun(events, isAlive);
    const isReviewed = loadConfigOrDefaults(paths).epic.integrate === 'review';
    const children = new Map(overview.epics.map((it) => [it.id, it]));
    // Only stories that could begin now are compared with the files that running stories write.
    const writesOf = (id: string) =>
      isAlive && overview.story(id)?.blockedBy.length === 0
        ? (findStory(project, id)?.story.writeFiles ?? [])
        : [];
    const items = layOut(epicId, children, writesOf);
    const candidates = survey(items, overview, recalled.attempts).map(
      (it): Candidate =>
        // The run waits until a person has merged the story.
        isReviewed && it.standing === 'passed' ? { ...it, standing: 'stuck' } : it,
    );
    const control = loadControl(paths, epicId);
    const decision = schedule(candidates, {
      jobs: control.jobs ?? recalled.jobs.at(-1)?.jobs ?? 1,
      isPaused: isAlive && control.isPaused,
      ...{ failFast: false, isOver: false, isReviewed },
      merging: recalled.merging,
    });
    const criticalPath = findRemainingPath(candidates);
    const found = { project, epicId, items, session, isAlive, recalled, candidates, decision };
    return { ...found, criticalPath };
  }

  async #buildRows(look: Look, period: Period | undefined): Promise<RunRow[]> {
    const { items, criticalPath, candidates } = look;
    const worked = period ? await this.#findSessions(look, period) : new Map<string, Worked[]>();
    const critical = new Set(criticalPath);
    const stuck = new Set(listStuck(candidates));
    return orderStories(items).map((item): RunRow => {
      const { id, epic, needs } = item;
      const view = this.#project.overview.story(id);
      const sessions = worked.get(id) ?? [];
      const merges = look.recalled.merges.get(id) ?? [];
      const isStuck = stuck.has(id);
      return {
        id,
        title: view?.title ?? id,
        epic,
        state: view ? deriveStoryState(view) : 'needs-you',
        note: describeRow(look, id, view),
        progress: view?.progress ?? { completed: 0, total: 0 },
        needs: [...needs],
        isCritical: critical.has(id),
        session: sessions.at(-1)?.session ?? view?.session?.session ?? null,
        starts: sessions.length,
        cost: sumCosts(sessions.map((it) => it.cost)),
        spans: period ? deriveSpans({ sessions, merges, isStuck }, period) : [],
        work: view?.session ? this.#describeWork(view.session) : null,
        expected: null,
      };
    });
  }

  #describeWork({ session, startedAt, activity }: SessionView): RowWork {
    const { outputFile } = this.#project.sessions.find(session) ?? {};
    const written = outputFile === undefined ? 0 : (findLastWrite(outputFile) ?? 0);
    return { startedAt, activity, signAt: written > 0 ? new Date(written).toISOString() : null };
  }

  /**
   * The sessions of the stories in this run, each story's oldest first. A worker may have begun long before the run. A
   * story has one worker at a time, so sessions that are older than one that ended before the run are not read.
   */
  async #findSessions({ items }: Look, { from }: Period): Promise<Map<string, Worked[]>> {
    const { sessions } = this.#project;
    const looked = new Set(items.map((it) => it.id));
    const found = new Map<string, Worked[]>();
    for (const name of sessions.list()) {
      const story = parseSession(name)?.storyId;
      const summary = story !== undefined && looked.has(story) ? sessions.find(name) : undefined;
      if (story === undefined || !summary) continue;
      const { from: begin, to } = findPeriod(summary);
      if (to !== null && to <= from) {
        looked.delete(story);
        continue;
      }
      const events = await this.#steps.read(summary.outputFile, summary.outputSize);
      const { outcome } = summary;
      const cost = sumCosts([summary]);
      const isStuck = outcome === 'needs-you' || outcome === 'error' || outcome === 'limit';
      const gates = pairGates(events);
      const tasks = listCompletions(events);
      const known = found.get(story) ?? [];
      known.unshift({ session: name, from: begin, to, isStuck, gates, tasks, cost });
      found.set(story, known);
    }
    return found;
  }
}

interface Worked extends WorkedSession {
  session: string;
  cost: Cost;
}

/** A session that was killed ended at its last sign of life. */
function findPeriod({ startedAt, endedAt, state, outputFile }: SessionSummary): Period {
  const from = Date.parse(startedAt);
  if (endedAt !== undefined) return { from, to: Date.parse(endedAt) };
  return { from, to: state === 'running' ? null : Math.max(from, findLastWrite(outputFile) ?? 0) };
}

const listStuck = (candidates: readonly Candidate[]) =>
  candidates.filter((it) => it.standing === 'stuck').map((it) => it.id);

/** Every node waits for what it needs, and an inner epic also for its children. */
function toNodes(items: readonly EpicItem[]) {
  const childrenOf = Map.groupBy(items, (it) => it.epic);
  return items.map((item) => ({
    ...item,
    blockedBy: [...item.needs, ...(childrenOf.get(item.id) ?? []).map((it) => it.id)],
  }));
}

function orderStories(items: readonly EpicItem[]): EpicItem[] {
  const { ordered, unordered } = orderTopologically(toNodes(items));
  return [...ordered, ...unordered].filter((it) => it.kind === 'story');
}

function describeRow({ isAlive, recalled, decision }: Look, id: string, view?: StoryView): string {
  if (!view) return 'cannot be read';
  if (recalled.merging === id) return 'is merged and verified';
  const hold = isAlive ? decision.holds.get(id) : undefined;
  if (hold) return describeHold(hold);
  const news = findStoryNews(view);
  switch (news.kind) {
    case 'at-work':
      return news.session.activity === 'gate' ? 'its gate runs' : (news.task ?? 'prepares');
    case 'needs-you':
      return news.reason.title;
    case 'done':
      return 'merged';
    case 'other':
      return news.text;
  }
}

function findJobs({ project: { paths }, epicId, isAlive, recalled }: Look): number {
  const wanted = isAlive ? loadControl(paths, epicId).jobs : undefined;
  return wanted ?? recalled.jobs.at(-1)?.jobs ?? loadConfigOrDefaults(paths).epic.jobs;
}

function describeScheduler(
  look: Look,
  session: SessionSummary,
  period: Period,
  stories: readonly RunRow[],
): Omit<EpicRun, 'jobs' | 'forecast'> {
  const { project, epicId, recalled, items, candidates } = look;
  const { overview, paths } = project;
  const { epic } = loadConfigOrDefaults(paths);
  const rows = new Map(stories.map((it) => [it.id, it]));
  const standings = new Map(candidates.map((it) => [it.id, it.standing]));
  const isOpen = (id: string) => standings.get(id) !== 'merged';
  const mergedNow = new Set(recalled.merged.map((it) => it.item));
  const { from, to } = period;
  const reported = toNodes(items).map(({ id, blockedBy }) => {
    const { spans = [], starts = 0 } = rows.get(id) ?? {};
    const { costUsd = 0 } = rows.get(id)?.cost ?? {};
    return { id, blockedBy, spans, costUsd, starts, isMerged: rows.has(id) && mergedNow.has(id) };
  });
  return {
    session: session.session,
    startedAt: session.startedAt,
    endedAt: to === null ? null : new Date(to).toISOString(),
    outcome: session.outcome ?? null,
    reason: session.reason ?? null,
    hint: session.hint ?? null,
    cost: sumCosts(stories.map((it) => it.cost)),
    pr: overview.epic(epicId)?.pr ?? null,
    branch: epic.integrate === 'branch' ? formatEpicBranch(epicId) : null,
    merges: recalled.merged.map(({ item, ...rest }) => {
      const title = (overview.story(item) ?? overview.epic(item))?.title ?? item;
      return { item, title, ...rest };
    }),
    foretold: recalled.foretold.filter((it) => it.stories.every(isOpen)),
    report: to === null ? null : deriveReport({ from, to, jobs: recalled.jobs, items: reported }),
  };
}

function buildHoldUps({ project, candidates, decision, criticalPath, recalled }: Look): HoldUp[] {
  return findHoldUps(candidates, decision, criticalPath).map(({ id, cutsOff, isCritical }) => {
    const view = project.overview.story(id) ?? null;
    const [asked] = view ? deriveInbox([view]) : [];
    const { trouble } = recalled.attempts.get(id) ?? {};
    const said = asked?.reasons ?? [view?.reason ?? 'cannot be read'];
    return {
      item: id,
      title: (view ?? project.overview.epic(id))?.title ?? id,
      view,
      reasons: trouble ? [trouble.reason] : said,
      questions: view ? loadQuestions(project, id) : [],
      since: view?.since ?? null,
      cutsOff,
      isCritical,
    };
  });
}

function loadQuestions(project: LiveProject, id: string): HoldUp['questions'] {
  const found = findStory(project, id);
  if (!found) return [];
  const open = findOpenBlockers(parseJournal(found.journal).entries);
  return open.map(({ id, title, body, time }) => ({ id, title, body, time: time ?? null }));
}

/** Returns undefined if the story cannot be read. A problem reports that. */
function findStory({ paths }: LiveProject, id: string): LoadedStory | undefined {
  try {
    return loadStory(paths, id);
  } catch (error) {
    if (error instanceof SagaError) return undefined;
    throw error;
  }
}
