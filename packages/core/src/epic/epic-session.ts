import type { Cause } from '@saga-ai/types/run/cause';
import type { RunEvent } from '@saga-ai/types/run/event';
import {
  EXIT_CODES,
  type OutcomeKind,
  type SessionRecord,
  type Trouble,
} from '@saga-ai/types/run/session-record';
import { describeStep } from '@saga-ai/types/screens/describe-step';
import { describeCause } from '@saga-ai/types/words/describe-cause';
import { isAtLeast } from '@saga-ai/types/words/versions';
import { agent } from '../agents/chosen.ts';
import { SagaError } from '../errors.ts';
import { ensureIgnoredFolder } from '../files/atomic-write.ts';
import { toError } from '../files/json-file.ts';
import { type Base, findBase } from '../git/find-base.ts';
import { type Git, openGit } from '../git/git.ts';
import { pinRemote } from '../git/pins.ts';
import { pinLfs } from '../git/remote/lfs-endpoint.ts';
import { gitProgram } from '../needs/git-needs.ts';
import { GIT_NEEDS, requireNeeds } from '../needs/list.ts';
import type { Notifier } from '../notify/notifier.ts';
import { chooseBaseBranch, readBaseRule } from '../overview/facts/choose-base-branch.ts';
import { loadOverview } from '../overview/overview.ts';
import { readEpics } from '../plan/epics.ts';
import { loadWriteFiles } from '../plan/stories.ts';
import { describeProcess } from '../processes/identity.ts';
import { startLifeline } from '../processes/lifeline.ts';
import { acquireLock, findLockOwner } from '../processes/lock.ts';
import { epicLock } from '../project/paths.ts';
import { createSessionClock } from '../records/session-clock.ts';
import { saveSessionRecord } from '../records/session-records.ts';
import type { Launcher } from '../sessions/launcher.ts';
import { requireTrust } from '../trust/require-trust.ts';
import { findSecretsOf, type Worker, type WorkerOrder, withoutEngine } from '../worker/context.ts';
import { toErrorEnd } from '../worker/error-end.ts';
import { limitNetworkTime } from '../worker/network-limits.ts';
import { openNotifier } from '../worker/open-notifier.ts';
import { findSandbox } from '../worker/run/enclose.ts';
import { maskEvents, openSessionLog } from '../worker/session-log.ts';
import type { EpicOptions, EpicRun } from './context.ts';
import { claimEpicBranch } from './epic-branch.ts';
import { layOut } from './layout.ts';
import { type EpicOutcome, runEpic, type Spent } from './run-epic.ts';

export interface EpicRequest extends Omit<WorkerOrder, 'storyId'> {
  epicId: string;
  launcher: Launcher;
  options: EpicOptions;
  outputFile: string;
  tmux: boolean;
  tmuxSocket?: string | undefined;
  listen(event: RunEvent): void;
}

export interface EpicEnd {
  kind: OutcomeKind;
  cause: Cause;
  reason: string;
  exitCode: number;
  spent: Spent;
  /** Only set if the outcome is an error. */
  error?: unknown;
}

/** merge-tree can write trees since this version. */
const OLDEST_GIT = '2.38.0';

/** Runs the scheduler of an epic, and always writes its output file, its record and its final event. */
export async function runEpicSession(request: EpicRequest): Promise<EpicEnd> {
  const { epicId, launcher, options, outputFile, tmux, tmuxSocket, listen, ...asked } = request;
  const rest = { ...asked, env: withoutEngine(asked.env) };
  const { paths, session, timestamp, config } = rest;
  const tellTime = createSessionClock({ session, timestamp });
  const record: SessionRecord = {
    version: 1,
    session,
    story: epicId,
    isEpic: true,
    ...describeProcess(process.pid),
    outputFile,
    tmux,
    tmuxSocket,
    startedAt: tellTime(timestamp),
    startedIn: paths.root,
    model: config.worker.model,
    cycle: 0,
    tokens: 0,
    costUsd: 0,
  };
  const keep = new RecordKeeper(record, tellTime, (it) => saveSessionRecord(paths, it));
  let notifier: Notifier | undefined;
  const read = (event: RunEvent) => {
    keep.read(event);
    notifier?.read(event);
  };
  using log = openSessionLog(outputFile, read, listen);
  using lifeline = startLifeline(paths.repository, session);
  using network = limitNetworkTime(rest, lifeline);
  const secrets = findSecretsOf({ ...rest, agent });
  const emit = maskEvents(log.emit, secrets);
  const worker: Worker = {
    ...rest,
    storyId: epicId,
    // An epic starts from the default branch, or from the one that a person configured.
    base: chooseBaseBranch(readBaseRule(rest.config), [], () => false),
    agent,
    emit,
    lifeline,
    network,
  };
  notifier = openNotifier(worker, { kind: 'epic', secrets, lifeline, emit });
  emit('worker:start', { story: epicId, session, pid: process.pid });
  const keepTroubles = (troubles: readonly Trouble[]) => keep.troubles(troubles);
  const end = await runToEnd(worker, { launcher, options, keepTroubles });
  await notifier.end(end);
  keep.end(end);
  const { error, spent, ...told } = end;
  emit('worker:end', {
    ...told,
    ...(error instanceof SagaError ? { code: error.code, hint: error.hint } : {}),
    cycles: 0,
    ...spent,
    elapsedMs: Date.now() - timestamp,
  });
  return end;
}

type Means = Pick<EpicRun, 'launcher' | 'options' | 'keepTroubles'>;

async function runToEnd(worker: Worker, means: Means): Promise<EpicEnd> {
  try {
    const outcome = await prepareAndRun(worker, means);
    const { kind, cause } = outcome;
    return { ...outcome, reason: describeCause(cause), exitCode: EXIT_CODES[kind] };
  } catch (thrown) {
    return { ...toErrorEnd(thrown), spent: { costUsd: 0, tokens: 0 } };
  }
}

async function prepareAndRun(asked: Worker, means: Means): Promise<EpicOutcome> {
  const { paths, storyId: epicId, config, env, emit, network, agent } = asked;
  const found = openGit(paths.root, env, network);
  const place = { root: paths.root, config, env, agent, storyId: epicId };
  const met = await requireNeeds(place, GIT_NEEDS);
  const isMerging = config.epic.integrate === 'branch';
  if (isMerging) requireGit(met.get(gitProgram) ?? '');
  const epics = new Map(readEpics(paths).epics.map((it) => [it.id, it]));
  const items = layOut(epicId, epics, (id) => loadWriteFiles(paths, id));
  await requireSound(
    asked,
    items.map((it) => it.id),
  );
  // The scheduler runs setup and verify itself, on what it merged.
  const ofStories = items.filter((it) => it.kind === 'story').map((it) => it.id);
  requireTrust(paths, ofStories, env);
  using _lock = await lockEpic(asked);
  const worker = { ...asked, ...(await findSandbox(asked)) };
  const base = await pinBase(found, await findBase(found, asked.base.name, { emit }));
  const git = openGit(paths.root, await pinLfs(found, base, env), network);
  for (const id of [epicId, ...items.filter((it) => it.kind === 'epic').map((it) => it.id)]) {
    const { fence } = worker;
    await claimEpicBranch(id, { git, paths, from: base.commit, base, emit, fence });
  }
  emit('epic:start', { epic: epicId, jobs: means.options.jobs, stories: ofStories.length });
  return await runEpic({ worker, epicId, epics, items, base, git, ...means });
}

/** Stories may change git's settings while the epic runs, so the remote's addresses are kept. */
async function pinBase(git: Git, base: Base): Promise<Base> {
  if (base.remote === undefined) return base;
  return { ...base, pinned: await pinRemote(git, base.remote) };
}

function requireGit(version: string): void {
  if (isAtLeast(version, OLDEST_GIT)) return;
  throw new SagaError(
    'missing-program',
    `git ${version} cannot merge without a worktree; running an epic needs git ${OLDEST_GIT} or later.`,
    'Update git, or merge the stories yourself: saga config epic.integrate review',
  );
}

/** Throws if a file below the epic is broken, or if the epic waits for another one. */
async function requireSound({ paths, env, storyId, anyway }: Worker, ids: readonly string[]) {
  const below = new Set([storyId, ...ids]);
  const { problems, epics } = await loadOverview(paths, env);
  const ours = problems.filter(({ story, epic }) => below.has(story ?? epic ?? ''));
  if (ours.length > 0) throw toError(ours);
  if (ids.length === 0) {
    throw new SagaError(
      'usage',
      `Epic ${storyId} has no stories.`,
      `Add some: saga edit ${storyId}`,
    );
  }
  const { blockedBy = [] } = epics.find((it) => it.id === storyId) ?? {};
  if (blockedBy.length === 0 || anyway) return;
  throw new SagaError(
    'waits',
    `Epic ${storyId} waits for ${blockedBy.join(', ')}.`,
    `Run those first, or begin all the same: saga run ${storyId} --anyway`,
  );
}

/** One scheduler for each epic. */
async function lockEpic({ paths, storyId }: Worker): Promise<Disposable> {
  ensureIgnoredFolder(paths.runs);
  const path = epicLock(paths, storyId);
  const owner = findLockOwner(path);
  if (owner) {
    throw new SagaError(
      'lock-held',
      `Epic ${storyId} is being run already (process ${owner.pid}).`,
      `Watch it: saga logs -f ${storyId}. Change it: saga run ${storyId} --jobs N, saga pause ${storyId}`,
    );
  }
  const { release } = await acquireLock(path, 0);
  return { [Symbol.dispose]: release };
}

/** Keeps the record of the session, so that other commands see the epic. */
class RecordKeeper {
  readonly #record: SessionRecord;
  readonly #tellTime: (here: number) => string;
  readonly #save: (record: SessionRecord) => void;
  #isKnown = false;

  constructor(
    record: SessionRecord,
    tellTime: (here: number) => string,
    save: (record: SessionRecord) => void,
  ) {
    this.#record = record;
    this.#tellTime = tellTime;
    this.#save = save;
  }

  read(event: RunEvent): void {
    // Before this event, the start may still fail because another scheduler has the epic.
    if (event.type === 'epic:start') this.#isKnown = true;
    if (!this.#isKnown) return;
    const step = describeStep(event);
    if (!step) return;
    this.#record.activity = `${step.head}: ${step.text}`;
    this.#write();
  }

  troubles(troubles: readonly Trouble[]): void {
    this.#record.troubles = [...troubles];
    this.#write();
  }

  end({ kind, reason, cause, error, spent }: EpicEnd): void {
    if (!this.#isKnown) return;
    const record = this.#record;
    delete record.activity;
    Object.assign(record, {
      endedAt: this.#tellTime(Date.now()),
      outcome: kind,
      reason,
      cause,
      ...spent,
    });
    if (error instanceof SagaError) record.hint = error.hint;
    this.#write();
  }

  #write(): void {
    try {
      this.#save(this.#record);
    } catch {
      // The record is only for display: the output file has every event.
    }
  }
}
