import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isInPlan, PLAN_FOLDER } from '@saga-ai/types/plan/plan-paths';
import { buildSplitSchema, type Replaced, replaceTask } from '@saga-ai/types/plan/replace-task';
import type { Task } from '@saga-ai/types/plan/task';
import type { RunOutcome } from '@saga-ai/types/run/cause';
import { editJson, formatJson } from '../files/json-text.ts';
import { type FileChanges, finishTogether, writeTogether } from '../files/write-together.ts';
import { STAY_OUT } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { listUncommitted } from '../git/uncommitted.ts';
import { loadStory, saveTaskFields } from '../plan/stories.ts';
import { withStoryLock } from '../plan/story-lock.ts';
import { noteInJournal } from '../plan/worker-notes.ts';
import { splitNoteFile, taskFile } from '../project/paths.ts';
import { digestDefinition, type Worker } from './context.ts';
import { findTooLarge, type Grown, type TooLarge } from './decide/find-too-large.ts';
import { hadItsChance } from './decide/next-cycle.ts';
import { buildShaperPrompt } from './decide/shaper-prompt.ts';
import { publish } from './deliver/publish.ts';
import { StatusSync } from './run/status-sync.ts';
import { runClient } from './run-client.ts';
import { commitStory } from './settle/commit-story.ts';
import { leaveEnclosure } from './settle/leave-enclosure.ts';
import type { Loop, StoryRun } from './story-run.ts';

/**
 * Does one cycle, and then splits the task that turned out to be too large for it: a Shaper run proposes smaller tasks.
 * If its answer is not valid, nothing changes and the task waits for a person.
 */
export async function splitTooLarge(
  run: StoryRun,
  loop: Loop,
  runCycle: () => Promise<void>,
): Promise<void> {
  const { worker, worktree } = run;
  const { config, paths, storyId } = worker;
  const since = await worktree.git.run(['rev-parse', 'HEAD']);
  const before = loadStory(paths, storyId).tasks;
  await runCycle();
  // A rehearsal plays the tasks as they are.
  if (!config.worker.resplit || worker.rehearsal || worker.stop.aborted) return;
  const after = loadStory(paths, storyId).tasks;
  const found = findTooLarge(before, after, await measureChanges(run, since), config.ceiling);
  if (!found) return;
  const task = after.find((it) => it.id === found.taskId);
  if (!task) return;
  const asked = await askShaper(run, loop, task, found.why, since);
  if (asked) await settleSplit(run, loop, task, found.why, asked.answer);
}

/** Completes a split that an earlier worker began to write. */
export async function finishSplit({ worker, worktree }: StoryRun): Promise<void> {
  const { paths, storyId } = worker;
  const seal = () => commitStory(worker, worktree, 'task split');
  const isFinished = await withStoryLock(paths, storyId, (home) =>
    finishTogether(noteOf(worker), home, seal),
  );
  if (isFinished) worker.definition = digestDefinition(worker);
}

const noteOf = ({ paths, storyId }: Worker) => splitNoteFile(paths, storyId);

/** Asks a run that may only read. Returns undefined if that run could not work; then the task stays as it is. */
async function askShaper(
  run: StoryRun,
  loop: Loop,
  task: Task,
  why: TooLarge['why'],
  since: string,
): Promise<{ answer: unknown } | undefined> {
  const { worker, worktree } = run;
  const { emit, config, paths, storyId } = worker;
  const { story, tasks } = loadStory(paths, storyId);
  const { list } = loop;
  if (!list) return undefined;
  const runId = randomUUID();
  const prompt = buildShaperPrompt({
    story,
    task,
    why,
    others: tasks.filter((it) => it.id !== task.id),
    changes: await worktree.git.run(['diff', '--stat=100,80,20', STAY_OUT, since, '--', ...CODE]),
    ceiling: config.ceiling,
  });
  loop.runs += 1;
  const cycle = loop.runs;
  const role = { taskId: task.id, subject: task.subject, role: 'split' as const };
  emit('run:start', { cycle, model: config.worker.model, run: runId, ...role });
  const report = await runClient(
    run,
    loop,
    {
      runId,
      listId: list.listId,
      listFolder: list.folder,
      prompt,
      focus: undefined,
      model: config.worker.model,
      sessionId: randomUUID(),
      answerSchema: buildSplitSchema(),
    },
    new StatusSync(worker, () => {}),
  );
  const { remedy: _, contextTokens: __, answer, ...told } = report;
  emit('run:end', { cycle, ...told });
  if (worker.bubblewrap !== undefined) await leaveEnclosure(worker, worktree, runId);
  loop.costUsd += report.costUsd;
  loop.tokens += report.tokens;
  if (hadItsChance(report) && report.stoppedBy === undefined) return { answer };
  emit('task:not-split', { task: task.id, reason: report.detail });
  // The worker waits for the end of a limit or an outage, as after any other run. If the client cannot answer with a
  // schema, the task is just not split.
  if (WAITED_FOR.includes(report.outcome)) loop.last = report;
  return undefined;
}

const WAITED_FOR: readonly RunOutcome[] = ['usage-limit', 'unavailable'];

async function settleSplit(
  run: StoryRun,
  loop: Loop,
  task: Task,
  why: TooLarge['why'],
  answer: unknown,
): Promise<void> {
  const { worker, worktree } = run;
  const { emit, config, paths, storyId } = worker;
  const replaced = await withStoryLock(paths, storyId, async (home): Promise<Replaced> => {
    const { tasks } = loadStory(paths, storyId);
    const found = replaceTask(tasks, task.id, answer, config.ceiling);
    if ('fault' in found) return found;
    const changes = listChanges(home, task.id, tasks, found.tasks);
    await writeTogether(noteOf(worker), home, changes, () =>
      commitStory(worker, worktree, `${task.id} split into ${found.parts.join(', ')}`),
    );
    return found;
  });
  if ('fault' in replaced) {
    emit('task:not-split', { task: task.id, reason: replaced.fault });
    await saveTaskFields(paths, storyId, task.id, { escalated: true });
    emit('task:escalated', { task: task.id, attempts: task.attempts ?? 0 });
    await noteInJournal(worker, `escalated ${task.id}: it is too large, and ${replaced.fault}`);
  } else {
    emit('task:split', { task: task.id, into: replaced.parts, why });
    await noteInJournal(worker, `split ${task.id} into ${replaced.parts.join(', ')}: ${WHY[why]}`);
    worker.definition = digestDefinition(worker);
    // The agent's list has the old task.
    delete loop.list;
  }
  await commitStory(worker, worktree);
  await publish(worker, worktree);
  await run.pullRequest.refresh();
}

const WHY: Readonly<Record<TooLarge['why'], string>> = {
  stalled: 'a run hung in it',
  tried: 'two runs could not complete it',
  grown: 'it outgrew its ceiling',
};

/** Lists the files that change: the parts are new, the task is removed, and its dependents wait for the parts. */
function listChanges(
  home: string,
  taskId: string,
  before: readonly Task[],
  after: readonly Task[],
): FileChanges {
  const earlier = new Map(before.map((it) => [it.id, it]));
  const changes = new Map<string, string | null>();
  for (const task of after) {
    const known = earlier.get(task.id);
    if (known === task) continue;
    const text = known
      ? editJson(readFileSync(taskFile(home, task.id), 'utf8'), { blockedBy: task.blockedBy })
      : formatJson(task);
    changes.set(`${task.id}.json`, text);
  }
  return changes.set(`${taskId}.json`, null);
}

/** The pathspecs of all files except the plan. */
const CODE = ['.', `:(exclude)${PLAN_FOLDER}`];

/** Measures how much has changed since a commit, committed or not. */
async function measureChanges({ worktree }: StoryRun, since: string): Promise<Grown> {
  const git = openPlainGit(worktree.folder, worktree.git.env);
  const printed = await git.run(['diff', '--numstat', STAY_OUT, since, '--', ...CODE]);
  const rows = printed.split('\n').filter((line) => line !== '');
  // A binary file has a hyphen instead of a number.
  const lines = rows.flatMap((row) => row.split('\t').slice(0, 2)).map((it) => Number(it) || 0);
  const tracked = new Set(rows.map((row) => row.split('\t')[2]));
  const others = (await listUncommitted(git)).filter(
    (path) => !isInPlan(path) && !tracked.has(path),
  );
  return { files: rows.length + others.length, lines: lines.reduce((sum, it) => sum + it, 0) };
}
