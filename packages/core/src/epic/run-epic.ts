import type { Cause } from '@saga-ai/types/run/cause';
import type { EpicControl } from '@saga-ai/types/run/epic-control';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import type { Overview } from '@saga-ai/types/screens/overview';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import { messageOf, SagaError } from '../errors.ts';
import { loadOverview } from '../overview/overview.ts';
import { watchProject } from '../overview/watch/watch.ts';
import { epicControlFile } from '../project/paths.ts';
import { createSessionClock } from '../records/session-clock.ts';
import { loadSessionRecords } from '../records/session-records.ts';
import type { Handle } from '../sessions/launcher.ts';
import { stopSession } from '../sessions/stop-session.ts';
import { watchFile } from '../sessions/watch-file.ts';
import { toErrorEnd } from '../worker/error-end.ts';
import { Aside } from './aside.ts';
import { Attempts } from './attempts.ts';
import type { EpicRun } from './context.ts';
import { loadControl } from './control.ts';
import { ensureEpicBranch } from './epic-branch.ts';
import { EpicPullRequests } from './epic-pull-request.ts';
import { Foresight } from './foretell.ts';
import { integrate } from './integrate.ts';
import type { EpicItem } from './layout.ts';
import { News } from './news.ts';
import { RemoteLook } from './remote-look.ts';
import { type Candidate, type Schedule, schedule } from './schedule.ts';
import { survey } from './survey.ts';

/** How the scheduler ended. */
export interface EpicOutcome {
  kind: OutcomeKind;
  cause: Cause;
  /** What the stories spent during this run of the epic. */
  spent: Spent;
}

export interface Spent {
  costUsd: number;
  tokens: number;
}

/**
 * Without news, the scheduler looks at everything again after this time, because a merge on the remote changes no file
 * here.
 */
const LOOK_AGAIN_MS = 15_000;
/**
 * How often a scheduler that stops reports that it waits for its workers. `saga stop` kills a scheduler that is silent.
 */
const TELL_AGAIN_MS = 5000;

/**
 * Carries an epic through: looks where everything stands, does what `schedule` decides, and waits for news.
 * It stores no state of its own, so a scheduler that was killed can be started again and goes on.
 */
export async function runEpic(run: EpicRun): Promise<EpicOutcome> {
  const scheduler = new Scheduler(run, new EpicPullRequests(run));
  await using _watch = await scheduler.watch();
  return await scheduler.work();
}

class Scheduler {
  readonly #run: EpicRun;
  readonly #pulls: EpicPullRequests;
  readonly #foresight: Foresight;
  readonly #remote: RemoteLook;
  /** A person merges the stories, on the remote. */
  readonly #isReviewed: boolean;
  readonly #attempts: Attempts;
  readonly #handles = new Map<string, Handle>();
  /** The sessions that were asked to stop. */
  readonly #asked = new Set<string>();
  readonly #news = new News();
  readonly #aside = new Aside(() => this.#news.tell());
  /** When the scheduler started, by the same clock as the records of its stories. */
  readonly #startedAt: string;
  #merging: string | undefined;
  #told = '';
  #toldStoppingAt = Number.NEGATIVE_INFINITY;
  #control: EpicControl;

  constructor(run: EpicRun, pulls: EpicPullRequests) {
    this.#run = run;
    this.#attempts = new Attempts(run);
    this.#pulls = pulls;
    this.#startedAt = createSessionClock(run.worker)(Date.now());
    this.#foresight = new Foresight(run);
    this.#remote = new RemoteLook(run, () => this.#news.tell());
    this.#isReviewed = run.worker.config.epic.integrate === 'review';
    this.#control = loadControl(run.worker.paths, run.epicId);
  }

  /** Wakes the scheduler when something changes: files of the plan, sessions, and what a person wants. */
  async watch(): Promise<AsyncDisposable> {
    const { paths, stop } = this.#run.worker;
    const watched = await watchProject(paths, async () => this.#news.tell());
    const control = watchFile(epicControlFile(paths, this.#run.epicId));
    let isOver = false;
    const follow = async () => {
      while (!isOver) {
        await control.next();
        if (this.#readControl()) this.#news.tell();
      }
    };
    this.#aside.begin(follow());
    const onStop = () => this.#news.tell();
    stop.addEventListener('abort', onStop);
    return {
      [Symbol.asyncDispose]: async () => {
        isOver = true;
        control[Symbol.dispose]();
        stop.removeEventListener('abort', onStop);
        await watched.stop();
      },
    };
  }

  async work(): Promise<EpicOutcome> {
    for (;;) {
      const overview = await this.#look();
      this.#attempts.keepTroubles();
      const candidates = survey(this.#attempts.items, overview, this.#attempts.all);
      const over = this.#findLimit();
      const decision = this.#decide(candidates, over !== undefined);
      for (const id of decision.stop) this.#stop(id);
      await this.#startAll(decision.start);
      if (decision.merge !== undefined) this.#merge(decision.merge);
      // This work beside the scheduler does not delay the next starts.
      this.#aside.set('foresight', () => this.#foresight.look(listRunning(candidates)));
      if (this.#isReviewed && candidates.some((it) => it.standing === 'passed')) {
        this.#aside.set('remote', () => this.#remote.look());
      }
      this.#aside.set('pull-requests', () => this.#pulls.refresh(overview));
      const outcome = this.#findEnd(decision, candidates, over);
      if (outcome) {
        await this.#aside.settled();
        if (this.#aside.failure) throw this.#aside.failure.error;
        await this.#pulls.refresh(overview);
        // If only chosen stories were merged, the epic is not ready for review.
        const isWhole = candidates.every((it) => it.standing === 'merged');
        if (outcome.cause.kind === 'epic-done' && isWhole) {
          await this.#pulls.markReady(this.#run.epicId);
        }
        return { ...outcome, spent: this.#sumSpent() };
      }
      this.#tellWaits(decision, candidates);
      if (over) this.#tellStopping(listRunning(candidates));
      await this.#waitForNews(over === undefined ? LOOK_AGAIN_MS : TELL_AGAIN_MS);
    }
  }

  /**
   * Looks at all stories. If a worker or a merge ended during the look, the result may be older than that end, so the
   * scheduler looks again.
   */
  async #look(): Promise<Overview> {
    for (;;) {
      const before = this.#news.ends;
      const { paths, env } = this.#run.worker;
      const overview = await loadOverview(paths, env, { isForScheduler: true });
      const seen = await this.#attempts.look(overview);
      if (this.#news.ends !== before) continue;
      this.#attempts.note(seen);
      return overview;
    }
  }

  #decide(candidates: readonly Candidate[], isOver: boolean): Schedule {
    const { options } = this.#run;
    return schedule(candidates, {
      jobs: this.#control.jobs ?? options.jobs,
      isPaused: this.#control.isPaused,
      failFast: options.failFast,
      isOver,
      isReviewed: this.#isReviewed,
      merging: this.#merging,
      chosen: options.chosen,
    });
  }

  /**
   * Starts workers, all at the same time. They branch from the epic's branch, which contains everything that
   * they need.
   */
  async #startAll(ids: readonly string[]): Promise<void> {
    const { worker } = this.#run;
    const chosen = this.#attempts.items.filter((it) => ids.includes(it.id));
    const isMerging = worker.config.epic.integrate === 'branch';
    const opened = new Map<string, Promise<void>>();
    for (const { epic } of chosen) {
      if (!isMerging || opened.has(epic)) continue;
      const opening = this.#openBranch(epic);
      opened.set(epic, opening);
      // One after the other: they may need the same outer branch. Each story reports a failure below.
      await opening.catch(() => {});
    }
    for (const { id, epic } of chosen) this.#aside.begin(this.#start(id, opened.get(epic)));
  }

  async #start(id: string, opened: Promise<void> | undefined): Promise<void> {
    const { worker, launcher, options } = this.#run;
    const starts = this.#attempts.startsOf(id) + 1;
    this.#attempts.set(id, { starts, isRunning: true });
    try {
      await opened;
      const handle = await launcher.start(id, { flags: options.flags });
      this.#handles.set(id, handle);
      worker.emit('epic:started', { story: id, session: handle.session });
      const ended = handle.ended.catch(toErrorEnd);
      this.#aside.begin(
        ended.then(({ kind, reason }) => {
          this.#handles.delete(id);
          this.#attempts.set(id, { starts, isRunning: false, end: kind });
          worker.emit('epic:ended', { story: id, kind, reason });
          this.#news.tellEnd();
        }),
      );
    } catch (error) {
      const reason = messageOf(error);
      const hint = error instanceof SagaError ? error.hint : undefined;
      await this.#attempts.noteNotStarted(id, reason, hint);
      worker.emit('epic:not-started', { story: id, reason, hint });
      this.#news.tellEnd();
    }
  }

  /** Stops a worker, also one that an earlier scheduler started. */
  #stop(id: string): void {
    const handle = this.#handles.get(id);
    const { records } = handle ? { records: [] } : loadSessionRecords(this.#run.worker.paths);
    const record = records.find((it) => it.story === id && it.endedAt === undefined);
    const session = handle?.session ?? record?.session;
    // A worker that is asked twice exits at once, without a commit or a push.
    if (session === undefined || this.#asked.has(session)) return;
    this.#asked.add(session);
    const why = 'the epic was stopped';
    const { launcher } = this.#run;
    const stopping = handle
      ? handle.stop(why)
      : record && (launcher.stopEarlier?.(record, why) ?? stopSession(record));
    stopping?.catch(() => {
      // The worker is still running; the next look finds it and tries again.
      this.#asked.delete(session);
    });
  }

  /** Makes sure that the branches around an item exist, from the outside to the inside. */
  async #openBranch(epic: string): Promise<void> {
    const { worker, items, base, git, epicId } = this.#run;
    const around = [epic];
    for (let at = epic; at !== epicId; ) {
      at = items.find((it) => it.id === at)?.epic ?? epicId;
      around.unshift(at);
    }
    let from = base.commit;
    let target = base.branch;
    for (const id of around) {
      const { paths, emit, fence } = worker;
      from = await ensureEpicBranch(id, { git, paths, from, base, emit, fence });
      await this.#pulls.ensure(id, target);
      target = formatEpicBranch(id);
    }
  }

  #merge(id: string): void {
    const item = this.#attempts.items.find((it) => it.id === id);
    if (!item) return;
    this.#merging = id;
    this.#aside.begin(this.#mergeAndNote(item));
  }

  async #mergeAndNote(item: EpicItem): Promise<void> {
    const { id } = item;
    try {
      const result = await integrate(this.#run, item).catch((error: unknown) => {
        const into = formatEpicBranch(item.epic);
        const detail = messageOf(error);
        const fields = { story: id, into, why: 'refused', detail, isTold: false } as const;
        this.#run.worker.emit('epic:not-merged', fields);
        return { kind: 'failed' as const, reason: detail };
      });
      await this.#attempts.noteMerge(item, result);
    } finally {
      this.#merging = undefined;
    }
    this.#news.tellEnd();
  }

  #findLimit(): Cause | undefined {
    const { worker, options } = this.#run;
    const { failure } = this.#aside;
    if (failure) return toErrorEnd(failure.error).cause;
    if (worker.stop.aborted) return { kind: 'stopped', why: String(worker.stop.reason) };
    if (Date.now() >= worker.deadline) return { kind: 'limit', of: 'time' };
    const { budgetUsd, budgetTokens } = options;
    if (budgetUsd === undefined && budgetTokens === undefined) return undefined;
    const { costUsd, tokens } = this.#sumSpent();
    if (budgetUsd !== undefined && costUsd >= budgetUsd) {
      return { kind: 'limit', of: 'usd', spent: costUsd };
    }
    if (budgetTokens !== undefined && tokens >= budgetTokens) {
      return { kind: 'limit', of: 'tokens', spent: tokens };
    }
    return undefined;
  }

  /** What the stories of the epic have spent since this scheduler began. */
  #sumSpent(): Spent {
    const ours = new Set(this.#run.items.map((it) => it.id));
    const spent = { costUsd: 0, tokens: 0 };
    for (const record of loadSessionRecords(this.#run.worker.paths).records) {
      if (!ours.has(record.story) || record.startedAt < this.#startedAt) continue;
      spent.costUsd += record.costUsd;
      spent.tokens += record.tokens;
    }
    return spent;
  }

  #findEnd(
    { phase, holds }: Schedule,
    candidates: readonly Candidate[],
    over: Cause | undefined,
  ): Omit<EpicOutcome, 'spent'> | undefined {
    const { worker, options, epicId } = this.#run;
    const stories = candidates.filter((it) => it.kind === 'story').length;
    if (phase === 'done') {
      const into =
        worker.config.epic.integrate === 'branch' ? { into: formatEpicBranch(epicId) } : {};
      return { kind: 'done', cause: { kind: 'epic-done', stories, ...into } };
    }
    if (phase === 'over' && over) {
      const kind = over.kind === 'stopped' || over.kind === 'error' ? over.kind : 'limit';
      return { kind, cause: over };
    }
    const isEnd = phase === 'people' && (options.noWait || options.failFast);
    if (!isEnd) return undefined;
    return { kind: 'needs-you', cause: { kind: 'stuck', stories: listWaiting(holds, candidates) } };
  }

  /** Reports each thing that the epic waits for, once. */
  #tellWaits({ phase, holds }: Schedule, candidates: readonly Candidate[]): void {
    const stories = listWaiting(holds, candidates);
    const cutOff = [...holds].flatMap(([id, { why }]) => (why === 'cut-off' ? [id] : []));
    const told = phase === 'people' ? JSON.stringify([stories, cutOff]) : '';
    if (told === this.#told) return;
    this.#told = told;
    if (told !== '') this.#run.worker.emit('epic:waits', { stories, cutOff });
  }

  #readControl(): boolean {
    const before = this.#control;
    this.#control = loadControl(this.#run.worker.paths, this.#run.epicId);
    const { isPaused, jobs = this.#run.options.jobs } = this.#control;
    if (isPaused === before.isPaused && this.#control.jobs === before.jobs) return false;
    this.#run.worker.emit('epic:changed', { isPaused, jobs });
    return true;
  }

  /**
   * Reports that the scheduler still waits for its workers, which may need long to commit and push. So nobody believes
   * that it hangs.
   */
  #tellStopping(stories: readonly string[]): void {
    const now = performance.now();
    if (stories.length === 0 || now - this.#toldStoppingAt < TELL_AGAIN_MS) return;
    this.#toldStoppingAt = now;
    this.#run.worker.emit('epic:stopping', { stories: [...stories] });
  }

  async #waitForNews(longestMs: number): Promise<void> {
    const left = this.#run.worker.deadline - Date.now();
    // After the deadline, only the ends of workers are waited for.
    await this.#news.wait(left > 0 ? Math.min(longestMs, left) : longestMs);
  }
}

const listRunning = (candidates: readonly Candidate[]) =>
  candidates.filter((it) => it.standing === 'running').map((it) => it.id);

/**
 * Lists what needs a person: items that are stuck and items that a person merges. If there are none, lists the items
 * that wait for stories that were not chosen.
 */
function listWaiting(holds: Schedule['holds'], candidates: readonly Candidate[]): string[] {
  const stuck = candidates
    .filter(({ standing }) => standing === 'stuck' || standing === 'passed')
    .map((it) => it.id);
  if (stuck.length > 0) return stuck;
  return [...holds].flatMap(([id, { why }]) => (why === 'needs' ? [id] : []));
}
