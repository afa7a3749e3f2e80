import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Epic } from '@saga-ai/types/plan/epic';
import { parseJournal, type ReadEntry } from '@saga-ai/types/plan/journal';
import { isInStory, journalPath } from '@saga-ai/types/plan/plan-paths';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import {
  type Answer,
  findAnswers,
  findUntold,
  isWorkerNote,
} from '@saga-ai/types/plan/worker-notes';
import { parseSession } from '@saga-ai/types/words/names';
import type { HydratedList, RunEnd } from '../agents/agent.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { LEFT, type LeftWork, listLeft } from '../git/refs/left-refs.ts';
import { listTests } from '../git/refs/test-refs.ts';
import { listUncommitted } from '../git/uncommitted.ts';
import { isStillThere, type Worktree } from '../git/worktree.ts';
import { readEpics } from '../plan/epics.ts';
import { worktreeGone } from '../plan/not-found.ts';
import { loadStory } from '../plan/stories.ts';
import { noteBeginning } from '../plan/worker-notes.ts';
import { listDefaults } from '../scope/protected-files.ts';
import { acceptTests } from './accept-tests.ts';
import { describeProtection, type Worker } from './context.ts';
import { chooseModel } from './decide/choose-model.ts';
import { type Conversation, findFreshReason } from './decide/conversation.ts';
import { decideFocus, type Focus, listOwnTasks } from './decide/focus.ts';
import { hadItsChance, tallyRun } from './decide/next-cycle.ts';
import { buildPrompt } from './decide/prompt.ts';
import { takeSnapshot } from './elsewhere/snapshot.ts';
import { mayChangeNothing } from './gate/checks.ts';
import { describeReach, listOpenPaths } from './run/explain-walls.ts';
import type { RunReport } from './run/headless-run.ts';
import { People } from './run/hear-people.ts';
import { StatusSync } from './run/status-sync.ts';
import { runClient } from './run-client.ts';
import { isTestFile } from './settle/keep-to-tests.ts';
import { settleRun } from './settle/settle-run.ts';
import { saveUnfinishedRun } from './settle/unfinished-run.ts';
import type { Loop, StoryRun } from './story-run.ts';

/** Does one cycle: a headless run, and everything that the worker does after it. */
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
  const { tasks } = loadStory(worker.paths, worker.storyId);
  const written = await listTests(git, worker.storyId, (path) => isTestFile(worker, path));
  const focus = chooseFocus(worker, loop, new Set(written.keys()));
  // After a failed gate a run repairs whatever is needed.
  const own = loop.gate ? undefined : listOwnTasks(tasks, focus);
  // Only a run for tests may change tests that were written for a task.
  const tests = focus?.role === 'tests' ? [] : [...written.values()].flat();
  const writes = focus?.role === 'work' ? listWrites(tasks, focus) : [];
  const { entries } = parseJournal(loadStory(worker.paths, worker.storyId).journal);
  const untold = findUntold(entries);
  // A run for one task is not told: the feedback is about the whole story.
  const feedback = focus ? [] : untold.feedback;
  const answers = findAnswers(entries);
  const told = [...feedback, ...untold.answers];
  const left = await listLeft(git, worktree.branch);
  const model = chooseModel(config.worker, tasks, focus);
  const continued = chooseConversation(worker, loop, { model, focus });
  const [commit, prompt] = await Promise.all([
    git.run(['rev-parse', 'HEAD']),
    describeWork(run, loop, focus, {
      feedback,
      answers,
      left,
      isContinued: continued !== undefined,
    }),
  ]);
  const unfinished = {
    runId: randomUUID(),
    commit,
    listFolder: list.folder,
    journal: loadStory(worker.paths, worker.storyId).journal,
    left: left.length > 0 ? left : undefined,
    onlyTests: focus?.role === 'tests' ? (true as const) : undefined,
    own,
    writes: writes.length > 0 ? writes : undefined,
    tests: tests.length > 0 ? tests : undefined,
    isEnclosed: worker.bubblewrap === undefined ? undefined : (true as const),
  };
  const elsewhere = await takeSnapshot(worker, worktree);
  saveUnfinishedRun(worker, worktree, unfinished);
  loop.runs += 1;
  const cycle = loop.runs;
  const begun = { cycle, model, run: unfinished.runId, ...focus };
  emit('run:start', { ...begun, isContinued: continued ? true : undefined });
  if (told.length > 0) emit('feedback:told', { titles: told.map((it) => it.title) });
  const begins = focus?.taskId;
  const statuses = new StatusSync(worker, () => void pullRequest.refresh(), { own, begins });
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
      continued,
    },
    statuses,
  );
  await statuses.settled();
  await people.settled();
  const { remedy: _, contextTokens, answer: __, ...ended } = report;
  loop.conversation = { sessionId, model, contextTokens, costUsd: costUsd + report.costUsd };
  const isToldOf = told.length > 0 && hadItsChance(report);
  const over = { ...unfinished, told: isToldOf ? told.map((it) => it.id) : undefined };
  const isThere = isStillThere(worktree);
  // Noted before the end of the run is reported: if the worker is killed now, no other run is told the same.
  if (isToldOf && isThere) saveUnfinishedRun(worker, worktree, over);
  emit('run:end', { cycle, ...ended });
  if (!isThere) throw worktreeGone(worktree.folder, worker.storyId);
  const settled = await settleRun(worker, worktree, over, toRunEnd(report, focus), elsewhere);
  const { restored, head, since, moved } = settled;
  if (settled.isListStale) delete loop.list;

  const isQuiet = head === since && describeProgress(worker) === before;
  Object.assign(loop, tallyRun(loop, report, { isQuiet, isOwnTask: isOneOfMany(worker, focus) }));
  if (focus?.role === 'tests' && hadItsChance(report)) {
    const refused = await acceptTests(worker, worktree, focus.taskId, since);
    loop.testsRefused = new Map(refused === undefined ? [] : [[focus.taskId, refused]]);
  }
  loop.costUsd += report.costUsd;
  loop.tokens += report.tokens;
  loop.restored = [...new Set([...loop.restored, ...restored])].sort();
  loop.last = report;
  loop.moved = moved;
  if (hadItsChance(report) && loop.gate) loop.gate = { ...loop.gate, wasTold: true };
  await pullRequest.refresh();
}

/** Writes the tasks into a new list. A worker that needs a second list gives it a name of its own. */
function hydrateStory(
  { paths, storyId, agent, agentHome, session, timestamp, isFurther, emit }: Worker,
  earlier: number,
): HydratedList {
  emit('hydrate:start', {});
  // The first list has the number of the session, by which it is found later.
  const named = isFurther ? timestamp : (parseSession(session)?.timestamp ?? timestamp);
  const list = agent.tasks.hydrate(agentHome, loadStory(paths, storyId), named + earlier);
  emit('hydrate:done', { list: list.listId, tasks: list.tasks });
  return list;
}

interface News {
  feedback: readonly ReadEntry[];
  answers: readonly Answer[];
  left: readonly LeftWork[];
  isContinued: boolean;
}

async function describeWork(
  { worker, worktree, confinement }: StoryRun,
  loop: Loop,
  focus: Focus | undefined,
  { feedback, answers, left, isContinued }: News,
): Promise<string> {
  const { paths, storyId, config } = worker;
  const { git, base } = worktree;
  const { story, tasks } = loadStory(paths, storyId);
  const uncommitted = await listUncommitted(openPlainGit(worktree.folder, git.env));
  const protection = await describeProtection(worker, story, git, base.commit);
  return buildPrompt({
    words: worker.agent.words,
    story,
    journalPath: journalPath(storyId),
    ...findEpic(paths, story),
    verify: story.verify ?? config.gate.verify,
    protectedFiles: [
      ...config.gate.protectedFiles.filter((glob) => !glob.startsWith('!')),
      ...listDefaults(protection),
    ],
    mayChangeNothing: mayChangeNothing(tasks),
    answers,
    feedback,
    leftovers: uncommitted.filter((path) => !isInStory(path, storyId)),
    commits: await listCommits(worktree),
    attempts: tasks.filter((it) => it.status !== 'completed' && (it.attempts ?? 0) > 0),
    left: left.map(({ ref, what }) => `${ref} (${LEFT[what]})`),
    gateFailures: loop.gate?.failures ?? [],
    restored: loop.restored,
    moved: loop.moved,
    stalled: loop.last?.stoppedBy === 'stalled' ? loop.last.detail : undefined,
    ...describeRoles(tasks, loop, focus),
    walls: listOpenPaths(confinement),
    network: describeReach(confinement),
    ...(focus ? { focus, testFiles: config.gate.testFiles } : {}),
    isContinued,
    openTasks: tasks
      .filter((it) => it.status !== 'completed')
      .map(({ id, subject }) => `${id}: ${subject}`),
  });
}

/** Describes, for the prompt, which tasks are the run's own. */
function describeRoles(tasks: readonly Task[], loop: Loop, focus: Focus | undefined) {
  const refused = focus && loop.testsRefused.get(focus.taskId);
  const own = listOwnTasks(tasks, undefined);
  const isOthers = ({ id, status }: Task) => status !== 'completed' && !own.includes(id);
  const others = focus || loop.gate ? [] : tasks.filter(isOthers);
  return {
    testsRefused: refused,
    notYours: others.map(({ id, subject }) => `${id}: ${subject}`),
    taskWrites: focus?.role === 'work' ? listWrites(tasks, focus) : [],
  };
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

/**
 * Returns how the run ended, which decides about its open tasks. A run that could not work does not count as an
 * attempt.
 */
function toRunEnd(report: RunReport, focus: Focus | undefined): RunEnd {
  if (report.outcome === 'context-exhausted') return { outcome: 'context_exhausted' };
  if (report.stoppedBy === 'stalled') {
    return { outcome: 'stalled', detail: report.detail };
  }
  return hadItsChance(report) && focus?.role !== 'tests' ? { outcome: 'failed' } : {};
}

/**
 * Chooses the task of this run if it gets a run of its own. Returns undefined after a failed gate, which
 * is about the whole story.
 */
function chooseFocus(
  { paths, storyId, config }: Worker,
  loop: Loop,
  haveTests: ReadonlySet<string>,
): Focus | undefined {
  if (loop.gate) return undefined;
  return decideFocus(loadStory(paths, storyId).tasks, haveTests, config.worker.mode);
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

/** Whether the run completed its one task. Only such a run does not count as a cycle. */
function isOneOfMany({ paths, storyId }: Worker, focus: Focus | undefined): boolean {
  if (!focus) return false;
  const { tasks } = loadStory(paths, storyId);
  return (
    focus.role === 'tests' || tasks.find((it) => it.id === focus.taskId)?.status === 'completed'
  );
}

/**
 * Returns the task statuses and the journal entries of runs, as one text. If it is the same after a run, the run made
 * no progress.
 */
function describeProgress({ paths, storyId }: Worker): string {
  const { tasks, journal } = loadStory(paths, storyId);
  const { preamble, entries } = parseJournal(journal);
  const written = entries.filter((it) => !isWorkerNote(it));
  const statuses = tasks.map(({ id, status, attempts }) => [id, status, attempts]);
  return JSON.stringify([statuses, preamble, written]);
}

/** Returns the globs of files that the task of a run may change, or [] if it may change every file. */
function listWrites(tasks: readonly Task[], { taskId }: Focus): readonly string[] {
  return tasks.find((it) => it.id === taskId)?.writeFiles ?? [];
}
