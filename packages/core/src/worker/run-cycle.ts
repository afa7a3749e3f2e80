import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Epic } from '@saga-ai/types/plan/epic';
import {
  findAnswers,
  findOpenFeedback,
  type JournalEntry,
  parseJournal,
} from '@saga-ai/types/plan/journal';
import { isInStory, journalPath } from '@saga-ai/types/plan/plan-paths';
import type { Story } from '@saga-ai/types/plan/story';
import { isWorkerNote } from '@saga-ai/types/plan/worker-notes';
import type { HydratedList, RunEnd } from '../agents/agent.ts';
import { withoutStrayGit } from '../git/git.ts';
import { LEFT, type LeftWork, listLeft } from '../git/left-refs.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { listUncommitted } from '../git/uncommitted.ts';
import type { Worktree } from '../git/worktree.ts';
import { readEpics } from '../plan/epics.ts';
import { worktreeGone } from '../plan/not-found.ts';
import { loadStory } from '../plan/stories.ts';
import { noteBeginning } from '../plan/worker-notes.ts';
import type { Confinement } from '../scope/confinement.ts';
import { listDefaults } from '../scope/protected-files.ts';
import { describeProtection, type Worker } from './context.ts';
import { chooseModel } from './decide/choose-model.ts';
import { type Conversation, findFreshReason } from './decide/conversation.ts';
import { decideFocus, type Focus } from './decide/focus.ts';
import { type FailedGate, hadItsChance, type LastRun, tallyRun } from './decide/next-cycle.ts';
import { buildPrompt } from './decide/prompt.ts';
import type { StoryPullRequest } from './deliver/pull-request.ts';
import { takeSnapshot } from './elsewhere/snapshot.ts';
import { mayChangeNothing } from './gate/checks.ts';
import type { Ready } from './prepare/preflight.ts';
import { enclose, openWayOut } from './run/enclose.ts';
import { describeReach, listOpenPaths } from './run/explain-walls.ts';
import type { Guard } from './run/guard.ts';
import { type RunReport, runHeadless } from './run/headless-run.ts';
import { People } from './run/hear-people.ts';
import { StatusSync } from './run/status-sync.ts';
import { watchHome } from './run/watch-home.ts';
import { closeFeedback } from './settle/close-feedback.ts';
import { isTestFile } from './settle/keep-to-tests.ts';
import { settleRun } from './settle/settle-run.ts';
import { saveUnfinishedRun } from './settle/unfinished-run.ts';

export interface StoryRun {
  worker: Worker;
  worktree: Worktree;
  ready: Ready;
  pullRequest: StoryPullRequest;
  confinement: Confinement;
  guard: Guard;
  /** The files of the plan that were put back before the first run of this worker. */
  restored: string[];
}

/** What the loop carries from one cycle to the next. */
export interface Loop {
  /** All runs so far. `cycles` counts only those that count against the limit. */
  runs: number;
  cycles: number;
  /** What all sessions of the story have spent: a budget counts for the story. */
  costUsd: number;
  tokens: number;
  quietCycles: number;
  outages: number;
  failures: number;
  restored: string[];
  last?: LastRun;
  /** The conversation of the last run. */
  conversation?: Conversation;
  gate?: FailedGate;
  list?: HydratedList;
  /** How many lists were written so far. */
  lists: number;
  /** The tasks whose tests were written, if every task gets a run of its own. */
  haveTests: Set<string>;
  /** Until when the worker waits for an answer to the open blockers. */
  answerBy?: number;
  /** The titles of blockers that a person told the worker to ignore. */
  ignoredBlockers: string[];
}

/** One headless run and what follows it. */
export async function runCycle(run: StoryRun, loop: Loop): Promise<void> {
  const { worker, worktree, pullRequest } = run;
  const { emit, config } = worker;
  const { git } = worktree;
  // A run, or somebody else, may have removed the list; a run on an empty list would be wasted.
  if (loop.list && !existsSync(loop.list.folder)) delete loop.list;
  loop.list ??= hydrateStory(worker, loop.lists++);
  const { list } = loop;
  await noteBeginning(worker, worktree.branch);
  const before = describeProgress(worker);
  const focus = chooseFocus(worker, loop);
  // A run for one task is not told: the feedback is about the whole story.
  const feedback = focus ? [] : findFeedback(worker);
  const left = await listLeft(git, worktree.branch);
  const { tasks } = loadStory(worker.paths, worker.storyId);
  const model = chooseModel(config.worker, tasks, focus);
  const continued = chooseConversation(worker, loop, { model, focus });
  const [commit, prompt] = await Promise.all([
    git.run(['rev-parse', 'HEAD']),
    describeWork(run, loop, focus, { feedback, left, isContinued: continued !== undefined }),
  ]);
  const unfinished = {
    runId: randomUUID(),
    commit,
    listFolder: list.folder,
    journal: loadStory(worker.paths, worker.storyId).journal,
    ...(left.length > 0 ? { left } : {}),
    ...(focus?.role === 'tests' ? { onlyTests: true as const } : {}),
    ...(worker.bubblewrap === undefined ? {} : { isEnclosed: true as const }),
  };
  const elsewhere = await takeSnapshot(worker, worktree);
  saveUnfinishedRun(worker, worktree, unfinished);
  loop.runs += 1;
  const cycle = loop.runs;
  const begun = { cycle, model, run: unfinished.runId, ...focus };
  emit('run:start', { ...begun, ...(continued ? { isContinued: true } : {}) });
  if (feedback.length > 0) emit('feedback:told', { titles: feedback.map((it) => it.title) });
  const statuses = new StatusSync(worker, () => void pullRequest.refresh());
  const people = new People(worker);
  const { sessionId, costUsd } = continued ?? { sessionId: randomUUID(), costUsd: 0 };
  const report = await runClient(
    run,
    loop,
    {
      ...unfinished,
      listId: list.listId,
      prompt,
      focus,
      model,
      people,
      sessionId,
      ...(continued ? { continued } : {}),
    },
    statuses,
  );
  await statuses.settled();
  await people.settled();
  const { remedy: _, contextTokens, ...told } = report;
  loop.conversation = { sessionId, model, contextTokens, costUsd: costUsd + report.costUsd };
  emit('run:end', { cycle, ...told });
  if (!existsSync(worktree.folder)) throw worktreeGone(worktree.folder, worker.storyId);
  const settled = await settleRun(worker, worktree, unfinished, toRunEnd(report, focus), elsewhere);
  const { restored, head } = settled;
  if (settled.isListStale) delete loop.list;

  const isQuiet = head === commit && describeProgress(worker) === before;
  Object.assign(loop, tallyRun(loop, report, { isQuiet, isOwnTask: isOneOfMany(worker, focus) }));
  if (focus?.role === 'tests' && hadItsChance(report)) loop.haveTests.add(focus.taskId);
  loop.costUsd += report.costUsd;
  loop.tokens += report.tokens;
  loop.restored = [...new Set([...loop.restored, ...restored])].sort();
  loop.last = report;
  if (hadItsChance(report)) {
    if (loop.gate) loop.gate = { ...loop.gate, wasTold: true };
    await closeFeedback(worker, worktree, feedback, { from: commit, to: head });
  }
  await pullRequest.refresh();
}

/** Writes the tasks into a new list. A worker that needs a second list gives it a name of its own. */
function hydrateStory(
  { paths, storyId, agent, agentHome, timestamp, emit }: Worker,
  earlier: number,
): HydratedList {
  emit('hydrate:start', {});
  const list = agent.tasks.hydrate(agentHome, loadStory(paths, storyId), timestamp + earlier);
  emit('hydrate:done', { list: list.listId, tasks: list.tasks });
  return list;
}

interface ClientRun {
  runId: string;
  listId: string;
  listFolder: string;
  prompt: string;
  focus: Focus | undefined;
  model: string;
  people: People;
  sessionId: string;
  continued?: Conversation;
}

async function runClient(
  run: StoryRun,
  loop: Loop,
  { runId, listId: taskListId, listFolder, prompt, focus, model, people, ...talk }: ClientRun,
  statuses: StatusSync,
): Promise<RunReport> {
  const { worker, worktree, ready, guard } = run;
  const { agent, config, paths, storyId } = worker;
  const { usd, tokens } = config.budget;
  const project = await readProjectFiles(worker, worktree);
  const account = agent.readAccount(worker.agentHome, project);
  if (account.unread) worker.emit('account:unread', account.unread);
  const inherited = agent.withoutOuterSession(withoutStrayGit(worker.env));
  const reach = { ...inherited, ...account.env, ...worker.rehearsal?.variables };
  using network = openWayOut(worker, reach, [guard.address.url]);
  const invocation = agent.invoke({
    version: ready.agent.version,
    config,
    model,
    sessionId: talk.sessionId,
    isContinued: talk.continued !== undefined,
    storyId,
    taskListId,
    projectFolder: paths.root,
    worktree: worktree.folder,
    runId,
    guard: guard.address,
    maxUsd: usd === null ? null : Math.max(0.01, usd - loop.costUsd),
    isRoot: worker.isRoot,
    inherited,
    account,
    project,
    variables: {
      ...worker.rehearsal?.variables,
      ...worker.lifeline.variables,
      ...network?.variables,
    },
  });
  const env = { ...inherited, ...invocation.env };
  const program = ready.agent.path;
  const continues = talk.continued?.sessionId;
  const inside = { runId, program, env, listFolder, continues, network };
  const walls = await enclose(worker, worktree, inside);
  return await runHeadless({
    agent,
    version: ready.agent.version,
    earlierCostUsd: talk.continued?.costUsd ?? 0,
    program: walls?.program ?? program,
    args: [...(walls ? [...walls.args, program] : []), ...invocation.args],
    env: walls?.env ?? env,
    cwd: worktree.folder,
    prompt,
    runId,
    guard,
    ...(focus?.role === 'tests' ? { mayWrite: (path: string) => isTestFile(worker, path) } : {}),
    deadline: worker.deadline,
    maxTokens: tokens === null ? null : tokens - loop.tokens,
    stop: worker.stop,
    lifeline: worker.lifeline,
    converse: walls?.converse,
    emit: worker.emit,
    onStatus: (taskId, status) => statuses.add(taskId, status),
    ...(worker.rehearsal ? {} : { messages: people }),
    watch: (onMissing) => watchHome(worktree, storyId, onMissing),
  });
}

/** Reads the agent's files of the project from the base: a run can write those in the worktree. */
async function readProjectFiles(
  { agent }: Worker,
  { git, base }: Worktree,
): Promise<Record<string, string>> {
  const read = async (path: string) => {
    const { code, stdout } = await git.attempt(['cat-file', 'blob', `${base.commit}:${path}`]);
    return code === 0 ? [[path, stdout] as const] : [];
  };
  return Object.fromEntries((await Promise.all(agent.projectFiles.map(read))).flat());
}

interface News {
  feedback: readonly JournalEntry[];
  left: readonly LeftWork[];
  isContinued: boolean;
}

async function describeWork(
  { worker, worktree }: StoryRun,
  loop: Loop,
  focus: Focus | undefined,
  { feedback, left, isContinued }: News,
): Promise<string> {
  const { paths, storyId, config } = worker;
  const { git } = worktree;
  const { story, tasks, journal } = loadStory(paths, storyId);
  const { entries } = parseJournal(journal);
  const uncommitted = await listUncommitted(openPlainGit(worktree.folder, git.env));
  return buildPrompt({
    words: worker.agent.words,
    story,
    journalPath: journalPath(storyId),
    ...findEpic(paths, story),
    verify: story.verify ?? config.gate.verify,
    protectedFiles: [
      ...config.gate.protectedFiles.filter((glob) => !glob.startsWith('!')),
      ...listDefaults(describeProtection(worker, story)),
    ],
    mayChangeNothing: mayChangeNothing(tasks),
    resolutions: findAnswers(entries),
    feedback,
    leftovers: uncommitted.filter((path) => !isInStory(path, storyId)),
    commits: await listCommits(worktree),
    attempts: tasks.filter((it) => it.status !== 'completed' && (it.attempts ?? 0) > 0),
    left: left.map(({ ref, what }) => `${ref} (${LEFT[what]})`),
    gateFailures: loop.gate?.failures ?? [],
    restored: loop.restored,
    walls: listOpenPaths(worker),
    network: describeReach(worker),
    ...(focus ? { focus, testFiles: config.gate.testFiles } : {}),
    isContinued,
    openTasks: tasks
      .filter((it) => it.status !== 'completed')
      .map(({ id, subject }) => `${id}: ${subject}`),
  });
}

function findFeedback({ paths, storyId }: Worker): JournalEntry[] {
  return findOpenFeedback(parseJournal(loadStory(paths, storyId).journal).entries);
}

/** The epic that the story is a part of. An epic that cannot be read is left out. */
function findEpic(paths: Worker['paths'], story: Story): { epic?: Epic } {
  const epic = readEpics(paths).epics.find(
    ({ id, children }) => id === story.epic || children.some((child) => child.id === story.id),
  );
  return epic ? { epic } : {};
}

/** Lists the commits of earlier runs, without SAGA's own. */
async function listCommits({ git, base }: Worktree): Promise<string[]> {
  const range = ['--no-merges', '--format=%h %s', `${base.commit}..HEAD`];
  const printed = await git.run(['log', ...range]);
  return printed.split('\n').filter((line) => line !== '' && !/^\w+ saga: /.test(line));
}

/** How the run ended, for its open tasks. A run that could not work is not counted as an attempt. */
function toRunEnd(report: RunReport, focus: Focus | undefined): RunEnd {
  if (report.outcome === 'context-exhausted') return { outcome: 'context_exhausted' };
  return hadItsChance(report) && focus?.role !== 'tests' ? { outcome: 'failed' } : {};
}

/**
 * Chooses the task of this run if every task gets a run of its own. Returns undefined after a failed
 * gate, which is about the whole story.
 */
function chooseFocus({ paths, storyId, config }: Worker, loop: Loop): Focus | undefined {
  if (config.worker.mode !== 'task' || loop.gate) return undefined;
  return decideFocus(loadStory(paths, storyId).tasks, loop.haveTests);
}

/** Returns the conversation that the next run goes on with, if it does. */
function chooseConversation(
  { config }: Worker,
  { conversation, last, quietCycles }: Loop,
  { model, focus }: { model: string; focus: Focus | undefined },
): Conversation | undefined {
  const { continueUpTo: longest } = config.worker;
  const next = { model, isForOneTask: focus !== undefined, longest, quietCycles };
  return findFreshReason(conversation, last, next) === undefined ? conversation : undefined;
}

/** Whether the run did its one task. Such a run does not count as a cycle; one that did not does. */
function isOneOfMany({ paths, storyId }: Worker, focus: Focus | undefined): boolean {
  if (!focus) return false;
  const { tasks } = loadStory(paths, storyId);
  return (
    focus.role === 'tests' || tasks.find((it) => it.id === focus.taskId)?.status === 'completed'
  );
}

/** The task statuses and what runs wrote into the journal, as text. If it is the same after a run, the run made no progress. */
function describeProgress({ paths, storyId }: Worker): string {
  const { tasks, journal } = loadStory(paths, storyId);
  const { preamble, entries } = parseJournal(journal);
  const written = entries.filter((it) => !isWorkerNote(it));
  const statuses = tasks.map(({ id, status, attempts }) => [id, status, attempts]);
  return JSON.stringify([statuses, preamble, written]);
}
