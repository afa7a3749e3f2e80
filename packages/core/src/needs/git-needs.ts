import { storyPath } from '@saga-ai/types/plan/plan-paths';
import { isAtLeast } from '@saga-ai/types/words/versions';
import { SagaError } from '../errors.ts';
import { type Git, openGit } from '../git/git.ts';
import { findOnPath } from '../processes/find-program.ts';
import { evidenceFile, journalFile, storyFile } from '../project/paths.ts';
import { quote } from '../project/quote.ts';
import type { Need } from './need.ts';

/** The oldest git that lists and repairs worktrees as SAGA needs it. */
const OLDEST_GIT = '2.31.0';

export const gitProgram: Need = {
  name: 'git',
  async check({ root, env }) {
    if (findOnPath('git', env) === undefined) {
      throw new SagaError('missing-program', 'git is not installed.', 'Install git.');
    }
    const said = await openGit(root, env).run(['--version']);
    const version = /\d+\.\d+(\.\d+)?/.exec(said)?.[0] ?? said;
    if (isAtLeast(version, OLDEST_GIT)) return { what: version };
    throw new SagaError(
      'missing-program',
      `git ${version} is too old; SAGA needs ${OLDEST_GIT} or later.`,
      'Update git.',
    );
  },
};

export const gitIdentity: Need = {
  name: 'identity',
  after: gitProgram,
  async check({ root, env }) {
    const git = openGit(root, env);
    const [author, committer] = await Promise.all([
      git.attempt(['var', 'GIT_AUTHOR_IDENT']),
      git.attempt(['var', 'GIT_COMMITTER_IDENT']),
    ]);
    if (author.code === 0 && committer.code === 0) {
      return { what: committer.stdout.replace(/>.*$/s, '>') };
    }
    throw new SagaError(
      'git-failed',
      `git has no name and email for commits in ${root}.`,
      'Set them: git config --global user.name "…" and git config --global user.email "…"',
    );
  },
};

/** The project is the top folder of a repository that git trusts and that has a commit. */
export const repository: Need = {
  name: 'repository',
  after: gitProgram,
  async check({ root, env }) {
    // The files by which git finds a worktree hold one path a line.
    if (root.includes('\n')) {
      throw new SagaError(
        'git-failed',
        `The path of this project has a line break, so git would not find its worktrees: ${JSON.stringify(root)}`,
        'Rename the folder, or move the project.',
      );
    }
    const git = openGit(root, env);
    const [top, head] = await Promise.all([
      git.attempt(['rev-parse', '--show-toplevel']),
      git.resolve('HEAD'),
    ]);
    if (/dubious ownership/.test(top.stderr)) {
      throw new SagaError(
        'git-failed',
        `${root} belongs to another user, so git does not trust it.`,
        `If you trust it: git config --global --add safe.directory ${quote(root)}`,
      );
    }
    if (top.code !== 0 || top.stdout.replace(/\n$/, '') !== root) {
      throw new SagaError(
        'not-a-git-repository',
        `${root} is not the top folder of a git repository.`,
        'Run git init there, or move .saga to the top of the repository.',
      );
    }
    if (head !== undefined) return { what: root };
    throw new SagaError(
      'no-commit',
      `The repository in ${root} has no commit yet, so there is nothing to branch from.`,
      'Make the first one: git add -A && git commit -m "First commit"',
    );
  },
};

/** git does not ignore the plan. */
export const trackedPlan: Need = {
  name: 'plan in git',
  after: repository,
  async check({ root, env, storyId = 'any-story' }) {
    const ignored = await findIgnored(openGit(root, env), storyId);
    if (ignored) throw ignored;
    return { what: 'not ignored' };
  },
};

/** Returns an error if git ignores files of the story: statuses and evidence could not be committed. */
export async function findIgnored(git: Git, storyId: string): Promise<SagaError | undefined> {
  const below = storyPath(storyId);
  const files = [storyFile(below), evidenceFile(below), journalFile(below)];
  const found = await git.attempt(['check-ignore', '-v', '--no-index', ...files]);
  const [, rule, path] = /^(.+)\t(.+)$/m.exec(found.stdout) ?? [];
  if (found.code !== 0 || rule === undefined) return undefined;
  const [place, line, ...pattern] = rule.split(':');
  return new SagaError(
    'git-failed',
    `git ignores ${path} in ${git.folder} (${place}, line ${line}: ${pattern.join(':')}), so the story cannot be kept in its branch.`,
    `Remove that line from ${place} and commit; .saga/.gitignore already ignores what need not be tracked.`,
  );
}
