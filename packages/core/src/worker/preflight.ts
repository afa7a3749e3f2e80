import { findOpenBlockers, parseJournal } from '@saga-ai/types/journal';
import { SagaError } from '../errors.ts';
import { type Claude, findClaude } from '../programs/claude.ts';
import { openGh } from '../programs/gh.ts';
import { openGit } from '../programs/git.ts';
import { isAtLeast, OLDEST_CLIENT } from '../rules/client-features.ts';
import { toError } from '../store/json-file.ts';
import { type LoadedStory, loadStory } from '../store/stories.ts';
import type { Outcome, Worker } from './worker.ts';

/** What a worker relies on. */
export interface Ready {
  claude: Claude;
  /** Missing when pull requests are not wanted, or gh is not there. */
  gh?: string;
}

/** Looks whether all is there that a story needs. Nothing is changed, whatever it finds. */
export async function preflight(worker: Worker): Promise<Ready | { outcome: Outcome }> {
  const { paths, storyId, config, env, emit } = worker;
  emit('preflight:start', { story: storyId });
  const story = requireRunnable(loadStory(paths, storyId));
  const wantsPullRequest = config.pullRequest.mode === 'auto';
  const [claude, git, gh] = await Promise.all([
    findClaude(config.worker.claudePath, paths.root, env),
    requireRepository(worker),
    wantsPullRequest ? openGh(paths.root, env).version() : undefined,
  ]);
  requireKnownVersion(claude);
  const blockers = findOpenBlockers(parseJournal(story.journal).entries);
  emit('preflight:passed', {
    claude: claude.version,
    git,
    gh: gh ?? null,
    blockers: blockers.map((it) => it.title),
  });
  const [first] = blockers;
  if (first && !worker.anyway) {
    return { outcome: { kind: 'needs-you', reason: `open blocker: ${first.title}` } };
  }
  return { claude, ...(gh === undefined ? {} : { gh }) };
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
async function requireRepository({ paths, env }: Worker): Promise<string> {
  const git = openGit(paths.root, env);
  const [version, top, head, identity] = await Promise.all([
    git.run(['--version']),
    git.attempt(['rev-parse', '--show-toplevel']),
    git.resolve('HEAD'),
    git.attempt(['var', 'GIT_COMMITTER_IDENT']),
  ]);
  if (top.code !== 0 || top.stdout.trim() !== paths.root) {
    throw new SagaError(
      'not-a-git-repository',
      `${paths.root} is not the top folder of a git repository.`,
      'Run git init there, or move .saga to the top of the repository.',
    );
  }
  if (head === undefined) {
    throw new SagaError(
      'no-commit',
      `The repository in ${paths.root} has no commit yet, so there is nothing to branch from.`,
      'Make the first one: git add -A && git commit -m "First commit"',
    );
  }
  if (identity.code !== 0) {
    throw new SagaError(
      'git-failed',
      'git does not know who commits here.',
      'git config user.name "…" and git config user.email "…"',
    );
  }
  return /(\d+\.\d+(?:\.\d+)?)/.exec(version)?.[1] ?? version;
}

function requireKnownVersion({ path, version }: Claude): void {
  if (isAtLeast(version, OLDEST_CLIENT)) return;
  throw new SagaError(
    'missing-program',
    `${path} is Claude Code ${version}; SAGA needs ${OLDEST_CLIENT} or later.`,
    'Update it: claude update, or npm install -g @anthropic-ai/claude-code',
  );
}
