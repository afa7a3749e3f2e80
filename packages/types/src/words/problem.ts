import * as z from 'zod/mini';

/** Every code of a problem or an error. The documentation is generated from this list. */
export const CODES = {
  'invalid-file': 'a file is not valid JSON or does not fit its schema',
  'unreadable-file': 'a file cannot be read: permissions, or a folder where a file should be',
  'unknown-field': 'a file has a field that SAGA does not know, so it has no effect',
  'id-mismatch': 'the id inside a file differs from its file or folder name',
  'invalid-id': 'an id breaks the rule for ids',
  'duplicate-id': 'two things have the same id',
  'unknown-id': 'a reference names something that does not exist',
  'self-block': 'something is blocked by itself',
  cycle: 'dependencies form a circle',
  'epic-mismatch': 'a story names an epic that does not list it, or the other way round',
  'unfinished-create': 'an earlier saga create, edit or migrate was interrupted',
  'invalid-config': 'config.json has an unknown key or a wrong value',
  'personal-setting':
    'config.json of a project sets what only a person may set; it has no effect there',
  untrusted: 'the project would run programs that you have not agreed to on this machine',
  'tracked-link': 'a link stands where SAGA keeps a file or folder of its own, and is not followed',
  'invalid-draft': 'a draft is wrong, so nothing was created',
  'no-project': 'there is no .saga folder here or above',
  'not-a-git-repository': 'the project is not inside a git repository',
  'not-found': 'no story, epic or task of that name',
  'already-exists': 'the id is taken',
  'in-flight': 'the story or task is in use: a worktree, a worker, a claim or an epic',
  'lock-held': 'another process holds the lock',
  'permission-denied': 'the file system refuses to read or write',
  'disk-full': 'the disk is full',
  'edit-refused': 'the edited text cannot be saved',
  'missing-program': 'a program that is needed cannot be found or started',
  'git-failed': 'git refused',
  'no-commit': 'the repository has no commit yet',
  'worktree-taken': "something else is in the place of the story's worktree or branch",
  'no-worktree': 'the story has no worktree, so there is nothing to check',
  'worktree-gone': "the story's worktree, or the story in it, was removed under a worker",
  'setup-failed': 'the command that sets up a worktree failed',
  'two-copies':
    'a plan was edited in the main checkout, but the story works with the copy in its worktree',
  waits: 'the story waits for others that are not done',
  'blocker-open': 'the story waits for a decision of a person',
  'no-task-tools': 'the client does not offer its Task tools',
  'credential-refused': 'the model provider refuses the key, the account or the model',
  'client-failed': 'the client ended without doing anything',
  'guard-silent': 'the client did not ask the guard, so the run was stopped',
  'session-failed': 'a session cannot be started, found or stopped',
  'not-told': 'the system does not report changes of files, so SAGA polls for them',
  'nothing-to-review': 'the story or epic has no branch yet, so it has changed nothing',
  'not-landed': 'the story or epic was not merged: a check, a rule or a conflict is in the way',
  'forge-refused': 'the place of the repository, such as GitHub, does not answer or refuses',
  'no-evidence': 'the gate of the story has not run yet',
  'in-run': 'a run called a command that only people call',
  'not-running': 'nobody works on the story now',
  usage: 'the command line is wrong',
  internal: 'a bug in SAGA',
} as const;
export type Code = keyof typeof CODES;

/** Says what is wrong, where, and what to do. Outputs list problems beside the valid items. */
export const Problem = z.object({
  code: z.enum(Object.keys(CODES) as [Code, ...Code[]]),
  message: z.string(),
  hint: z.string(),
  file: z.optional(z.string().check(z.describe('Path below the project.'))),
  field: z.optional(z.string()),
  story: z.optional(z.string()),
  epic: z.optional(z.string()),
});
export type Problem = z.infer<typeof Problem>;
