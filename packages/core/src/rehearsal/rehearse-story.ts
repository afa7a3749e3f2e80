import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Config } from '@saga-ai/types/config';
import type { RunEvent } from '@saga-ai/types/run/event';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import { type Finding, warning } from '@saga-ai/types/screens/finding';
import { formatSession } from '@saga-ai/types/words/names';
import { agent } from '../agents/chosen.ts';
import { SagaError } from '../errors.ts';
import { ensureIgnoredFolder } from '../files/atomic-write.ts';
import { checkPullRequests } from '../forge/check-pull-requests.ts';
import { type Git, openGit } from '../git/git.ts';
import { loadConfig, loadConfigOrDefaults } from '../plan/config.ts';
import { loadEvidence } from '../plan/load-evidence.ts';
import { loadStory } from '../plan/stories.ts';
import type { Environment } from '../processes/run.ts';
import { displayPath } from '../project/display-path.ts';
import {
  buildPaths,
  buildRehearsalPaths,
  type Paths,
  rehearsalOutputFile,
  rehearsalTempLink,
  sessionRecordFile,
  storyBranch,
} from '../project/paths.ts';
import { findStoryWorktree } from '../project/story-worktrees.ts';
import { requireTrust } from '../trust/require-trust.ts';
import { findWorktreePlace } from '../worker/prepare/find-worktree-place.ts';
import { runWorker, type WorkerEnd } from '../worker/run-worker.ts';
import {
  discardRehearsal,
  isRehearsal,
  markRehearsal,
  REHEARSAL_TEMP,
} from './discard-rehearsal.ts';
import { createLocalRemote } from './local-remote.ts';
import { openTasks } from './open-tasks.ts';
import { describeRehearsal } from './rehearsal-findings.ts';
import { lockRehearsal } from './rehearsal-lock.ts';

export interface RehearsalRequest {
  root: string;
  storyId: string;
  env: Environment;
  model: RehearsalModel;
  isRoot: boolean;
  stop: AbortSignal;
  /** True to keep the branch and the worktree, so that a person can look at them. */
  keep: boolean;
  listen(event: RunEvent): void;
}

export interface RehearsalModel {
  url: string;
  /** How often the model was asked. */
  countAnswers(): number;
  /** The file that runs try to write outside the worktree, relative to the folder around the worktree. */
  probe: string;
}

export interface RehearsalEnd {
  findings: Finding[];
  /** How the worker ended. */
  kind: OutcomeKind;
  outputFile: string;
  elapsedMs: number;
  wasStopped: boolean;
  kept?: { branch: string; worktree: string };
}

const MAX_MS = 10 * 60_000;

/**
 * Carries a story through everything a worker does, in the user's own repository and with the real
 * client. Only two things differ: the model is scripted, and the remote is a stand-in on this machine.
 */
export async function rehearseStory(request: RehearsalRequest): Promise<RehearsalEnd> {
  const { root, storyId, env } = request;
  const { home } = loadStory(buildPaths(root), storyId);
  requireTrust(buildPaths(root), [storyId], env);
  const paths = buildRehearsalPaths(root, dirname(home));
  ensureIgnoredFolder(buildPaths(root).runs);
  using _alone = await lockRehearsal(paths, storyId);
  const git = openGit(root, env);
  const clear = async () => {
    rmSync(probeFile(request, paths), { force: true });
    return discardRehearsal(git, paths, storyId);
  };
  const aside = await clear();
  await requireFreeBranch(git, storyBranch(paths, storyId));
  const told = aside === undefined ? [] : [describeAside(aside)];
  let end: RehearsalEnd;
  try {
    end = await play(request, paths, git);
  } catch (error) {
    await clear().catch(() => {
      // The original error matters more; the next rehearsal cleans up first.
    });
    throw error;
  }
  if (end.kept) {
    await markRehearsal(git, end.kept.branch, await git.resolve(`refs/heads/${end.kept.branch}`));
    return { ...end, findings: [...told, ...end.findings] };
  }
  return { ...end, findings: [...told, ...end.findings, ...(await tryToClear(clear))] };
}

function describeAside(ref: string): Finding {
  return warning(
    'earlier',
    'you had changed what an earlier rehearsal left',
    `It is kept: git show ${ref}`,
  );
}

/** Cleans up. An error becomes a finding, because the other findings must not be lost. */
async function tryToClear(clear: () => Promise<unknown>): Promise<Finding[]> {
  try {
    await clear();
    return [];
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    return [warning('left behind', error.message, error.hint)];
  }
}

/** Throws if the branch exists: earlier rehearsals are removed by now, so a person made it. */
async function requireFreeBranch(git: Git, branch: string): Promise<void> {
  if (!(await git.resolve(`refs/heads/${branch}`)) || (await isRehearsal(git, branch))) return;
  throw new SagaError(
    'worktree-taken',
    `The branch ${branch} exists already, and no rehearsal made it.`,
    `Rename it: git branch -m ${branch} another-name. Or, if nobody needs it: git branch -D ${branch}`,
  );
}

async function play(request: RehearsalRequest, paths: Paths, git: Git): Promise<RehearsalEnd> {
  const { root, storyId, env } = request;
  const started = Date.now();
  const { config } = loadConfig(buildPaths(root), {
    environment: env,
    flags: { 'pullRequest.mode': 'off' },
  });
  const temp = makeTemp(rehearsalTempLink(paths, storyId));
  // If there is no repository, the worker reports that.
  const isRepository = (await git.attempt(['rev-parse', '--git-dir'])).code === 0;
  if (isRepository) await markRehearsal(git, storyBranch(paths, storyId));
  const local = isRepository ? await createLocalRemote(root, env, join(temp, 'origin.git')) : env;
  const stage = {
    modelUrl: request.model.url,
    home: { config: join(temp, 'claude') },
    temp: join(temp, 'temp'),
  };
  mkdirSync(stage.temp);
  const outputFile = rehearsalOutputFile(paths, storyId);
  rmSync(outputFile, { force: true });
  const session = formatSession({ storyId, timestamp: started });
  const events: RunEvent[] = [];
  const enough = new AbortController();
  const pullRequests = checkPullRequests(root, env, { asksGitHub: false });
  const end = await runWorker({
    paths,
    storyId,
    config: withoutLimits(config),
    env: agent.stage.buildEnvironment(local, stage),
    agentHome: stage.home,
    session,
    timestamp: started,
    deadline: started + Math.min(MAX_MS, config.worker.maxTime * 60_000),
    stop: AbortSignal.any([request.stop, enough.signal]),
    anyway: true,
    isRoot: request.isRoot,
    rehearsal: {
      variables: agent.stage.buildVariables(env, stage),
      prepare: (worktree) => openTasks(paths, storyId, worktree),
    },
    outputFile,
    tmux: false,
    listen(event) {
      events.push(event);
      // Another run would be told what failed, but a scripted model cannot repair it.
      if (event.type === 'gate:failed') enough.abort('the rehearsal has seen enough');
      request.listen(event);
    },
  });
  rmSync(sessionRecordFile(paths, session), { force: true });
  return {
    findings: [...describe(request, paths, events, end), await pullRequests],
    kind: end.kind,
    outputFile: displayPath(root, outputFile),
    elapsedMs: Date.now() - started,
    wasStopped: request.stop.aborted,
    ...(request.keep ? describeKept(paths, storyId) : {}),
  };
}

/**
 * Removes the limits on time and money, because a scripted model costs nothing, and allows one
 * attempt, because a second one would do the same.
 */
function withoutLimits(config: Config): Config {
  return {
    ...config,
    budget: { usd: null, tokens: null },
    worker: { ...config.worker, maxAttempts: 1 },
  };
}

/**
 * Makes a temporary folder with a short path. The link lets a later rehearsal find it if this one is
 * killed.
 */
function makeTemp(link: string): string {
  const temp = realpathSync(mkdtempSync(join(tmpdir(), REHEARSAL_TEMP)));
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(temp, link);
  return temp;
}

function describe(
  request: RehearsalRequest,
  paths: Paths,
  events: readonly RunEvent[],
  { kind, cause, error }: WorkerEnd,
): Finding[] {
  const { model, storyId, stop } = request;
  const { tasks, home } = loadStory(paths, storyId);
  return describeRehearsal({
    events,
    tasks,
    answers: model.countAnswers(),
    probe: model.probe,
    words: agent.words,
    isProbeThere: existsSync(probeFile(request, paths)),
    // If a person stopped the rehearsal, the current step did not fail.
    end: stop.aborted
      ? { kind: 'stopped', cause: { kind: 'stopped', why: String(stop.reason) } }
      : { kind, cause },
    verifyOutput: loadEvidence(paths, home)?.verify?.outputEnd ?? '',
    hint: error instanceof SagaError ? error.hint : undefined,
  });
}

function probeFile({ model, storyId, env }: RehearsalRequest, paths: Paths): string {
  const config = loadConfigOrDefaults(paths, { environment: env });
  return join(dirname(findWorktreePlace({ paths, storyId, config, env }).folder), model.probe);
}

/** Describes what is kept. Returns {} if no worktree was made. */
function describeKept(paths: Paths, storyId: string): Pick<RehearsalEnd, 'kept'> {
  const worktree = findStoryWorktree(paths, storyId)?.folder;
  if (worktree === undefined) return {};
  const branch = storyBranch(paths, storyId);
  return { kept: { branch, worktree: displayPath(paths.root, worktree) } };
}
