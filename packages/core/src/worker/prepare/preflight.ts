import { findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import type { AgentProgram } from '../../agents/agent.ts';
import { SagaError } from '../../errors.ts';
import { toError } from '../../files/json-file.ts';
import { recallVersion } from '../../files/program-version.ts';
import { openGh } from '../../forge/gh.ts';
import { openGit } from '../../git/git.ts';
import { type LoadedStory, loadStory } from '../../plan/stories.ts';
import { findOnPath } from '../../processes/find-program.ts';
import { quote } from '../../processes/quote.ts';
import type { ProgramResult } from '../../processes/run.ts';
import type { Outcome, Worker } from '../context.ts';
import { findIgnored } from './carry-story.ts';

/** What a worker relies on. */
export interface Ready {
  agent: AgentProgram;
  /** Missing when pull requests are not wanted, or gh is not there. */
  gh?: string;
}

/** Looks whether all is there that a story needs. Nothing is changed, whatever it finds. */
export async function preflight(worker: Worker): Promise<Ready | { outcome: Outcome }> {
  const { paths, storyId, config, env, agent, emit } = worker;
  emit('preflight:start', { story: storyId });
  const story = requireRunnable(loadStory(paths, storyId));
  requireSandbox(worker);
  const path = agent.find(config.worker.claudePath, paths.root, env);
  const [program, git, gh] = await Promise.all([
    agent.describe(path, paths, env),
    requireRepository(worker),
    findGh(worker),
  ]);
  const blockers = findOpenBlockers(parseJournal(story.journal).entries).map((it) => it.title);
  emit('preflight:passed', {
    claude: program.version,
    git,
    gh: gh ?? null,
    blockers,
  });
  if (blockers.length > 0 && !worker.anyway) {
    return { outcome: { kind: 'needs-you', cause: { kind: 'blocker', titles: blockers } } };
  }
  return { agent: program, ...(gh === undefined ? {} : { gh }) };
}

async function findGh({ config, paths, env }: Worker): Promise<string | undefined> {
  const path = config.pullRequest.mode === 'auto' ? findOnPath('gh', env) : undefined;
  if (path === undefined) return undefined;
  return recallVersion(paths, path, async () => (await openGh(paths.root, env).version()) ?? '?');
}

/** Asked for and not there, the client would refuse every command, run after run. */
function requireSandbox({ config, env }: Worker): void {
  if (!config.worker.sandbox || process.platform !== 'linux') return;
  const missing = ['bwrap', 'socat'].filter((name) => findOnPath(name, env) === undefined);
  if (missing.length === 0) return;
  throw new SagaError(
    'missing-program',
    `worker.sandbox needs ${missing.join(' and ')}, which cannot be found.`,
    'Install the packages bubblewrap and socat, or switch the sandbox off.',
  );
}

function requireRunnable(story: LoadedStory): LoadedStory {
  if (story.problems.length > 0) throw toError(story.problems);
  if (story.tasks.length > 0) return story;
  throw new SagaError(
    'invalid-file',
    `Story ${story.story.id} has no tasks, so there is nothing to run.`,
    `Add one: saga task create "…" --story ${story.story.id}`,
  );
}

/** git works here, there is something to branch from, and commits can be made. */
async function requireRepository({ paths, storyId, env }: Worker): Promise<string> {
  const git = openGit(paths.root, env);
  const [version, top, head, author, committer, ignored] = await Promise.all([
    git.run(['--version']),
    git.attempt(['rev-parse', '--show-toplevel']),
    git.resolve('HEAD'),
    git.attempt(['var', 'GIT_AUTHOR_IDENT']),
    git.attempt(['var', 'GIT_COMMITTER_IDENT']),
    findIgnored(git, storyId),
  ]);
  requireTop(paths.root, top);
  if (head === undefined) {
    throw new SagaError(
      'no-commit',
      `The repository in ${paths.root} has no commit yet, so there is nothing to branch from.`,
      'Make the first one: git add -A && git commit -m "First commit"',
    );
  }
  if (author.code !== 0 || committer.code !== 0) {
    throw new SagaError(
      'git-failed',
      `git does not know who commits in ${paths.root}.`,
      'Tell it: git config --global user.name "…" and git config --global user.email "…"',
    );
  }
  if (ignored) throw ignored;
  return /(\d+\.\d+(?:\.\d+)?)/.exec(version)?.[1] ?? version;
}

function requireTop(root: string, top: ProgramResult): void {
  if (top.code === 0 && top.stdout.replace(/\n$/, '') === root) return;
  // A repository of another user is one all the same; git says how to trust it.
  if (/dubious ownership/.test(top.stderr)) {
    throw new SagaError(
      'git-failed',
      `${root} belongs to another user, so git does not trust it.`,
      `If you do: git config --global --add safe.directory ${quote(root)}`,
    );
  }
  throw new SagaError(
    'not-a-git-repository',
    `${root} is not the top folder of a git repository.`,
    'Run git init there, or move .saga to the top of the repository.',
  );
}
