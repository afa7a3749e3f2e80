import { parseJournal } from '@saga-ai/types/plan/journal';
import { maskText } from '@saga-ai/types/words/mask-secrets';
import { messageOf } from '../../errors.ts';
import { type ForgePull, openForge } from '../../forge/forge.ts';
import { GhRefusal } from '../../forge/gh-refusal.ts';
import { fetchBranch, findRemote } from '../../git/find-base.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { appendJournal } from '../../plan/journal.ts';
import { loadStory } from '../../plan/stories.ts';
import { pauseUntil } from '../../processes/deadline.ts';
import { findLockOwner } from '../../processes/lock.ts';
import { workerLock } from '../../project/paths.ts';
import { findSecretsOf, type Outcome, stopReason, type Worker } from '../context.ts';
import { ActivityWatch } from './activity-watch.ts';
import { answerThreads } from './answer-threads.ts';
import { cutLog } from './cut-log.ts';
import { type FoundWork, findWork, type Ignored } from './find-work.ts';
import { buildFollowUp, listKeys, toKey } from './quote-work.ts';

/** Between two looks, the pause grows to this many times the setting while nothing happens. */
const LONGEST_PAUSE = 10;
const GROWTH = 1.5;
/** The most remarks that one round takes. Others wait for the next round. */
const MOST_AT_ONCE = 20;

/**
 * Watches the pull request of a story that is in review. Its requests become Feedback, and `work` carries them out with
 * runs, gate and push, as for any other feedback. Between two rounds the model is not asked. Returns how the last round
 * ended.
 */
export async function followStory<T extends Outcome>(
  worker: Worker,
  passed: T,
  work: (worker: Worker) => Promise<T>,
): Promise<T | Outcome> {
  const { emit, config, stop } = worker;
  const place = findPlace(worker);
  if (!place) return passed;
  const { followRounds, followSeconds } = config.pullRequest;
  const told = new Set<string>();
  const trust = new Trust(place, config.pullRequest.trust);
  const activity = new ActivityWatch(worker, place, followSeconds * 1000);
  const begin = () => {
    running = 0;
    emit('follow:start', { number: place.number, rounds: followRounds - rounds });
  };
  let last: T = passed;
  let rounds = 0;
  /** How many checks were running when that was last reported. */
  let running: number | undefined = 0;
  begin();
  for (let pause = followSeconds * 1000; ; ) {
    const why = stopReason(worker);
    if (why !== undefined) return { kind: 'stopped', cause: { kind: 'stopped', why } };
    if (Date.now() >= worker.deadline)
      return { kind: 'limit', cause: { kind: 'limit', of: 'time' } };
    const looked = await look(worker, { place, trust, activity });
    if (looked === 'over') return last;
    // The last report is now that GitHub does not answer.
    if (looked === 'failed') running = undefined;
    const news =
      looked === undefined || looked === 'failed' ? [] : await takeUp(worker, looked, told, rounds);
    if (news.length === 0) {
      if (typeof looked === 'object' && looked.running !== running) {
        running = looked.running;
        emit('follow:checks', { number: place.number, running });
      }
      // A stop ends the pause; the next turn handles it.
      await pauseUntil(Date.now() + pause, stop);
      pause = Math.min(pause * GROWTH, followSeconds * 1000 * LONGEST_PAUSE);
      continue;
    }
    if (rounds >= followRounds) {
      return { kind: 'limit', cause: { kind: 'limit', of: 'rounds', most: followRounds } };
    }
    rounds += 1;
    pause = followSeconds * 1000;
    for (const found of news) await tell(worker, place, found);
    emit('follow:round', { round: rounds, most: followRounds, remarks: news.length });
    const now = Date.now();
    const deadline = Math.min(worker.deadline, now + config.worker.maxTime * 60_000);
    last = await work({ ...worker, timestamp: now, deadline, isFurther: true });
    if (last.kind !== 'done') return last;
    begin();
  }
}

/** Opens the pull request by the story's file. Stories of a running epic are merged by its scheduler, not by people. */
function findPlace({ paths, storyId, base, env, network, emit }: Worker): ForgePull | undefined {
  const { pr } = loadStory(paths, storyId).story;
  const inEpic = base.epic !== undefined;
  const isOwn = pr !== undefined && !inEpic;
  const place = isOwn ? openForge(paths.root, env, network).openPull(pr) : undefined;
  if (place) return place;
  const reason = inEpic ? 'its epic merges it' : 'it has no pull request on GitHub';
  emit('follow:end', { reason });
  return undefined;
}

interface Looked {
  /** How many checks have not ended. */
  running: number;
  work: FoundWork[];
  ignored: Ignored[];
}

interface Eyes {
  place: ForgePull;
  trust: Trust;
  activity: ActivityWatch;
}

/**
 * Looks at the pull request if anything happened on it. Returns undefined if nothing did, or if somebody else works on
 * the story.
 */
async function look(
  worker: Worker,
  { place, trust, activity }: Eyes,
): Promise<Looked | 'over' | 'failed' | undefined> {
  const { paths, storyId, emit } = worker;
  if (findLockOwner(workerLock(paths, storyId))) return undefined;
  if (!(await activity.hasNews())) return undefined;
  try {
    const pull = await place.loadReviewed();
    if (pull.state !== 'OPEN') {
      const how = pull.state === 'MERGED' ? 'merged' : 'closed';
      emit('follow:end', { reason: `#${pull.number} was ${how}` });
      return 'over';
    }
    const isAnswered = await answerThreads(worker, place, pull);
    await trust.learn([
      ...pull.reviews.map((it) => it.author),
      ...pull.threads.flatMap((it) => it.comments.map(({ author }) => author)),
    ]);
    const found = findWork(pull, (login) => trust.has(login));
    if (pull.hasConflict) await fetchBase(worker, pull.base.branch);
    if (isAnswered) activity.noteLooked();
    return found;
  } catch (error) {
    if (!(error instanceof GhRefusal)) throw error;
    activity.noteFailure(error);
    return 'failed';
  }
}

/** The run merges the base itself, so its newest commit must be here. */
async function fetchBase({ paths, env, network, emit }: Worker, branch: string): Promise<void> {
  const git = openPlainGit(paths.root, env, network);
  const remote = await findRemote(git);
  if (remote !== undefined) await fetchBranch(git, remote, branch, { emit });
}

/** Takes up what no run has worked on yet. Reports ignored remarks once. */
async function takeUp(
  { paths, storyId, emit }: Worker,
  { work, ignored }: Looked,
  told: Set<string>,
  rounds: number,
): Promise<FoundWork[]> {
  for (const { key, title, reason } of ignored) {
    if (told.has(key)) continue;
    told.add(key);
    emit('follow:ignored', { title, reason });
  }
  const known = listKeys(parseJournal(loadStory(paths, storyId).journal).entries);
  const fresh = work.filter(({ key }) => !known.has(toKey(key)));
  const isSaid = (found: FoundWork) => told.has(`${rounds} ${found.key}`);
  for (const found of fresh.filter((it) => !isSaid(it))) {
    told.add(`${rounds} ${found.key}`);
    emit('follow:found', { what: found.kind, title: found.title });
  }
  return fresh.slice(0, MOST_AT_ONCE);
}

async function tell(worker: Worker, place: ForgePull, found: FoundWork): Promise<void> {
  const { paths, storyId, emit } = worker;
  const log = await readLog(place, found).catch((error: unknown) => {
    emit('follow:failed', { reason: `the log of ${found.title}: ${messageOf(error)}` });
    return undefined;
  });
  const entry = buildFollowUp(found, log, new Date().toISOString());
  const body = maskText(entry.body, findSecretsOf(worker));
  await appendJournal(paths, storyId, { ...entry, body });
}

async function readLog(place: ForgePull, { jobId }: FoundWork): Promise<string | undefined> {
  return jobId === undefined ? undefined : cutLog(await place.readLog(jobId));
}

/** Knows who may write to the repository. Asks once for each person. */
class Trust {
  readonly #place: ForgePull;
  readonly #named: readonly string[];
  readonly #known = new Map<string, boolean>();

  constructor(place: ForgePull, named: readonly string[]) {
    this.#place = place;
    this.#named = named;
  }

  async learn(logins: readonly string[]): Promise<void> {
    for (const login of new Set(logins)) {
      if (this.#known.has(login)) continue;
      const isNamed = this.#named.includes('*') || this.#named.includes(login);
      this.#known.set(login, isNamed || (await this.#place.mayWrite(login)));
    }
  }

  has(login: string): boolean {
    return this.#known.get(login) ?? false;
  }
}
