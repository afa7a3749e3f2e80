import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatEpicSession } from '@saga-ai/types/words/names';
import { appendOnBranch, readBranchJournal } from '../../epic/branch-journal.ts';
import { saveControl } from '../../epic/control.ts';
import { runEpicSession } from '../../epic/epic-session.ts';
import { messageOf, SagaError } from '../../errors.ts';
import { ensureSessionFolder } from '../../files/session-folder.ts';
import type { StoryJournal } from '../../messages/tell-refused-merge.ts';
import { loadOverview } from '../../overview/overview.ts';
import { appendJournal } from '../../plan/journal.ts';
import { loadStory } from '../../plan/stories.ts';
import { createInProcessLauncher } from '../../sessions/in-process-launcher.ts';
import type { LaunchEnd } from '../../sessions/launcher.ts';
import { toErrorEnd } from '../../worker/error-end.ts';
import { alignEpics } from '../align-epics.ts';
import { alignStories, alignStory } from '../align-story.ts';
import type { Lease } from '../engine.ts';
import { LeaseKeeper } from '../lease-keeper.ts';
import { Mirror } from '../mirror/mirror.ts';
import { applyWord } from '../words.ts';
import { type Clone, openClone, refreshClone } from './clone.ts';
import { findTrouble } from './find-trouble.ts';
import { createFleetLauncher } from './fleet-launcher.ts';
import { NewsTeller } from './news-teller.ts';
import type { AgentOrder } from './order.ts';
import { requireSound } from './require-sound.ts';

/** An engine that is away when a job ends is tried again after these times; the last one is repeated. */
const AGAIN_MS = [500, 1000, 2000, 5000];

/** An address that comes from the engine is never used: some addresses make git run a program. */
const notOurs = (url: string) =>
  new SagaError(
    'usage',
    `This machine does not work on ${url}.`,
    `To let it: saga agent --repo ${url}`,
  );

/** One story or epic that this machine works on. */
export class RunningJob {
  readonly lease: Lease;
  /** Resolves when the job is over and the engine knows it, or when the lease is lost. Never rejects. */
  readonly over: Promise<void>;
  readonly #order: AgentOrder;
  /** When the lease was taken, by this machine's clock. */
  readonly #takenHere = Date.now();
  readonly #stop = new AbortController();
  readonly #keeper: LeaseKeeper;
  /** Why another machine should go on with the job. If it is set, the job goes back into the queue. */
  #leaving: string | undefined;
  /** The words that were carried out. The engine may send a word again before it knows that. */
  readonly #heard = new Set<number>();
  /** The words that stay valid until the job is over. */
  readonly #kept: number[] = [];
  #queuedAt: string | undefined;
  /** The worker has its worktree, or the scheduler begins. */
  #isUnderWay = false;
  #clone: Clone | undefined;
  #teller: NewsTeller | undefined;

  constructor(order: AgentOrder, lease: Lease) {
    this.#order = order;
    this.lease = lease;
    this.#keeper = new LeaseKeeper(lease, {
      machine: order.machine,
      leaseMs: order.leaseMs,
      onLost: (reason) => {
        order.tell({ type: 'lost', id: lease.job.id, reason });
        this.#stop.abort(reason);
      },
      onAway: (reason) =>
        order.tell(reason === undefined ? { type: 'back' } : { type: 'away', reason }),
    });
    this.over = this.#run();
  }

  /** Stops the work so that another machine goes on with it. */
  leave(reason: string): void {
    this.#leaving ??= reason;
    this.#stop.abort(reason);
  }

  /** Does what people said to this story or epic. */
  async hear(journal?: StoryJournal): Promise<void> {
    const { job } = this.lease;
    if (!this.#clone || this.#stop.signal.aborted) return;
    const { news } = this.#order.engine;
    for (const word of await news.hear(job.repository.key, job.id)) {
      // Until there is a worktree, there is no place to write the word to.
      if (word.kind !== 'stop' && !this.#isUnderWay && !journal) continue;
      if (this.#heard.has(word.id)) {
        // The word was carried out before, but the engine was away and does not know it.
        if (!this.#kept.includes(word.id)) await news.heard([word.id]);
        continue;
      }
      this.#heard.add(word.id);
      const isSteering = word.kind === 'stop' || word.kind === 'control';
      const isOld = isSteering && word.at < (await this.#findQueuedAt());
      const reason = isOld
        ? undefined
        : await applyWord(this.#clone.paths, word, journal).catch(() => undefined);
      if (reason !== undefined) this.#stop.abort(reason);
      // A pause holds also for the machine that takes over, so it is heard there again.
      if (word.kind === 'control' && !isOld) this.#kept.push(word.id);
      else await news.heard([word.id]);
    }
  }

  async #run(): Promise<void> {
    const { id } = this.lease.job;
    const end = await this.#work().catch((error: unknown): LaunchEnd => {
      const { kind, cause, reason, exitCode } = toErrorEnd(error);
      return { kind, cause, reason, exitCode };
    });
    // The machine is to blame for the error, so another machine tries the job.
    if (end.kind === 'error') this.#leaving ??= findTrouble(this.#order.data);
    using _keeper = this.#keeper;
    for (let tries = 0; !this.#keeper.isLost; tries++) {
      try {
        await this.#teller?.finish();
        if (this.#leaving === undefined) {
          if (!(await this.lease.finish(end))) break;
          if (this.#kept.length > 0) await this.#order.engine.news.heard(this.#kept);
          this.#order.tell({ type: 'ended', id, outcome: end.kind, reason: end.reason });
        } else {
          await this.lease.giveBack(this.#leaving);
          this.#order.tell({ type: 'given-back', id, reason: this.#leaving });
        }
        return;
      } catch (error) {
        // A machine that is being stopped does not wait: the lease ends by itself.
        if (this.#order.stop.aborted && tries > 1) return;
        this.#order.tell({ type: 'away', reason: messageOf(error) });
        await sleep(AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]);
      }
    }
  }

  /** Finds when this job was handed over. A stop from before that time was meant for an earlier job. */
  async #findQueuedAt(): Promise<string> {
    const { job, number } = this.lease;
    if (this.#queuedAt === undefined) {
      const jobs = await this.#order.engine.jobs.list(job.repository.key);
      this.#queuedAt = jobs.find((it) => it.lease === number)?.queuedAt ?? '';
    }
    return this.#queuedAt;
  }

  async #work(): Promise<LaunchEnd> {
    const { job } = this.lease;
    requireSound(job);
    const { repositories, data, env } = this.#order;
    const found = repositories.find(({ name }) => name.key === job.repository.key);
    if (!found) throw notOurs(job.repository.url);
    const clone = await openClone(data, found.name, found.url, env);
    await refreshClone(clone);
    this.#clone = clone;
    return job.kind === 'epic' ? this.#runEpic(clone) : this.#runStory(clone);
  }

  async #runStory(clone: Clone): Promise<LaunchEnd> {
    const { paths, git } = clone;
    const { env, agentHome, userId, tell } = this.#order;
    const { job, earlier } = this.lease;
    const place = { paths, git, env, remote: 'origin' };
    await this.#openMirror(clone).refreshHolders();
    await alignEpics(paths, git, place.remote);
    for (const id of await alignStories(place)) tell({ type: 'put-away', id });
    if (earlier > 0 && (await this.#isFinished(paths))) {
      const reason = 'another machine had finished it already';
      return { kind: 'done', cause: { kind: 'done' }, reason, exitCode: 0 };
    }
    await this.hear(await this.#findBranchJournal({ paths, git }));
    await alignStory(place, job.id, { mayPutAway: true });
    const launcher = createInProcessLauncher({
      paths,
      env,
      agentHome,
      userId,
      fence: this.#keeper,
      taken: { here: this.#takenHere, engine: this.lease.takenAt },
      stop: this.#stop.signal,
      onOpen: (session, outputFile) => {
        this.#teller = new NewsTeller({ ...this.#describe(paths), session, outputFile });
      },
      listen: () => this.#teller?.wake(),
    });
    const handle = await launcher.start(job.id, { flags: job.flags, anyway: job.anyway });
    this.#isUnderWay = true;
    const end = await handle.ended;
    this.#isUnderWay = false;
    return end;
  }

  /**
   * Writes what people said before a machine had the story to the place that its worktree will come from: to its branch
   * or, if there is none yet, into the plan that is carried into the worktree.
   */
  async #findBranchJournal({ git, paths }: Pick<Clone, 'git' | 'paths'>): Promise<StoryJournal> {
    const { id } = this.lease.job;
    const place = { git, base: { remote: 'origin' }, storyId: id };
    const isBegun = (await readBranchJournal(place)) !== undefined;
    return {
      read: async () => (await readBranchJournal(place))?.journal ?? loadStory(paths, id).journal,
      append: async (entry) => {
        if (isBegun) await appendOnBranch(place, entry);
        else await appendJournal(paths, id, entry);
      },
    };
  }

  /**
   * Returns whether the story is finished already. The machine before may have died after its last push, before it
   * could tell the engine.
   */
  async #isFinished(paths: Clone['paths']): Promise<boolean> {
    const { stories } = await loadOverview(paths, this.#order.env);
    const { state } = stories.find((it) => it.id === this.lease.job.id) ?? {};
    return state === 'in review' || state === 'done';
  }

  async #runEpic(clone: Clone): Promise<LaunchEnd> {
    const { paths, git, repository } = clone;
    const { engine, env, agentHome, userId, machine, leaseMs } = this.#order;
    const { job } = this.lease;
    const { config, options, deadline } = this.#order.readEpic(paths, job);
    await alignEpics(paths, git, 'origin');
    // Words to an earlier run of the epic do not count any more. Words to this run are heard below.
    saveControl(paths, job.id, { isPaused: false, jobs: undefined });
    const mirror = this.#openMirror(clone);
    await mirror.pull();
    await using _following = await mirror.follow(leaseMs / 3);
    this.#isUnderWay = true;
    await this.hear();
    const session = formatEpicSession({ storyId: job.id, timestamp: this.lease.takenAt });
    const outputFile = join(ensureSessionFolder(env, userId), `${session}.jsonl`);
    this.#teller = new NewsTeller({ ...this.#describe(paths), session, outputFile });
    await using launcher = await createFleetLauncher({
      engine,
      repository,
      paths,
      mirror,
      by: machine,
      sagaVersion: this.#order.sagaVersion,
      isLeaving: () => this.#leaving !== undefined || this.#keeper.isLost,
    });
    const { kind, cause, reason, exitCode } = await runEpicSession({
      paths,
      epicId: job.id,
      config,
      env,
      agentHome,
      isRoot: userId === 0,
      tmux: false,
      session,
      timestamp: this.#takenHere,
      deadline,
      stop: this.#stop.signal,
      anyway: job.anyway,
      outputFile,
      launcher,
      options,
      fence: this.#keeper,
      listen: () => this.#teller?.wake(),
    });
    return { kind, cause, reason, exitCode };
  }

  #openMirror(clone: Clone): Mirror {
    const { engine, env, machine } = this.#order;
    return new Mirror({ ...clone, engine, env, machine, remote: 'origin' });
  }

  #describe(paths: Clone['paths']) {
    const { engine, machine } = this.#order;
    const { job } = this.lease;
    return { news: engine.news, repositoryKey: job.repository.key, machine, paths, story: job.id };
  }
}
