import { withoutStrayGit } from '../git/git.ts';
import { openTree } from '../git/project-tree.ts';
import { filterByGlobs } from '../scope/globs.ts';
import type { Conversation } from './decide/conversation.ts';
import type { Focus } from './decide/focus.ts';
import { enclose, openWayOut } from './run/enclose.ts';
import { type RunReport, runHeadless } from './run/headless-run.ts';
import type { People } from './run/hear-people.ts';
import type { StatusSync } from './run/status-sync.ts';
import { watchHome } from './run/watch-home.ts';
import { isTestFile } from './settle/keep-to-tests.ts';
import type { Loop, StoryRun } from './story-run.ts';

export interface ClientRun {
  runId: string;
  listId: string;
  listFolder: string;
  prompt: string;
  focus: Focus | undefined;
  model: string;
  /** Globs of what the one task of the run may change. */
  writes?: readonly string[];
  /** The tests that the run may not change. */
  tests?: readonly string[];
  /** What people say to the run; undefined if it does not listen. */
  people?: People;
  /** The JSON Schema of the answer. A run with a schema may only read. */
  answerSchema?: object;
  sessionId: string;
  continued?: Conversation;
}

/** Starts the agent for one run and waits for its end. */
export async function runClient(
  run: StoryRun,
  loop: Loop,
  {
    runId,
    listId: taskListId,
    listFolder,
    prompt,
    focus,
    model,
    people,
    tests = [],
    writes = [],
    answerSchema,
    ...talk
  }: ClientRun,
  statuses: StatusSync,
): Promise<RunReport> {
  const { worker, worktree, ready, guard } = run;
  const { surroundings } = run.confinement;
  const { agent, config, paths, storyId } = worker;
  const { usd, tokens } = config.budget;
  const base = await openTree(worktree.git, worktree.base.commit);
  const project = await agent.readProject(worker.agentHome, base);
  const account = agent.readAccount(worker.agentHome, project);
  if (account.unread) worker.emit('account:unread', account.unread);
  const inherited = agent.withoutOuterSession(withoutStrayGit(worker.env));
  const reach = { ...inherited, ...account.env, ...worker.rehearsal?.variables };
  using network = openWayOut(worker, surroundings, reach, [guard.address.url]);
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
    answerSchema,
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
  const inside = { surroundings, runId, program, env, listFolder, continues, network };
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
    mayWrite(path) {
      if (focus?.role === 'tests') return isTestFile(worker, path);
      const isNamed = writes.length === 0 || filterByGlobs([path], writes).length > 0;
      return isNamed && !tests.includes(path);
    },
    ...(answerSchema ? { mayWrite: () => false, isQuestion: true } : {}),
    deadline: worker.deadline,
    maxTokens: tokens === null ? null : tokens - loop.tokens,
    stop: worker.stop,
    lifeline: worker.lifeline,
    converse: walls?.converse,
    emit: worker.emit,
    onStatus: (taskId, status) => statuses.add(taskId, status),
    messages: worker.rehearsal || !people ? undefined : people,
    checkIn: { ...config.checkIn, commandLine: invocation.args.join(' ') },
    watch: (onMissing) => watchHome(worktree, storyId, onMissing),
  });
}
