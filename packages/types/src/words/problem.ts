import * as z from 'zod/mini';

/** Every code a person or a script can meet. One list: documentation and completions read it. */
export const CODES = {
  'invalid-file': 'a file is not valid JSON or does not fit its schema',
  'unreadable-file': 'a file cannot be read: permissions, or a folder where a file should be',
  'id-mismatch': 'the id inside a file differs from its file or folder name',
  'invalid-id': 'an id breaks the rule for ids',
  'duplicate-id': 'one id stands for two things',
  'unknown-id': 'a reference names something that does not exist',
  'self-block': 'something is blocked by itself',
  cycle: 'dependencies go round in a circle',
  'epic-mismatch': 'a story and an epic disagree about belonging together',
  'unfinished-create': 'an earlier create was interrupted',
  'invalid-config': 'config.json has an unknown key or a wrong value',
  'invalid-draft': 'a draft cannot become a story or an epic',
  'no-project': 'there is no .saga folder here or above',
  'not-a-git-repository': 'the project is not inside a git repository',
  'not-found': 'no story, epic or task of that name',
  'already-exists': 'the id is taken',
  'in-flight': 'the story has a worktree or a live worker',
  'lock-held': 'another process is writing',
  'permission-denied': 'the file system refuses to read or write',
  'disk-full': 'no space left',
  'edit-refused': 'the edited text cannot be saved',
  'missing-program': 'a program that is needed cannot be found or started',
  'git-failed': 'git refused',
  'no-commit': 'the repository has no commit yet',
  'worktree-taken': "something else stands where a story's worktree or branch should be",
  'setup-failed': 'the command that sets up a worktree failed',
  waits: 'the story waits for others that are not done',
  'blocker-open': 'the story waits for a decision of a person',
  'no-task-tools': 'the client does not offer its Task tools',
  'credential-refused': 'the model provider refuses the key, the account or the model',
  'client-failed': 'the client ended without doing anything',
  'guard-silent': 'the scope of a run is not guarded, so the run was stopped',
  'session-failed': 'a session cannot be started, found or stopped',
  'not-told': 'the system does not tell changes of files, so they are looked for',
  'no-evidence': 'a story has no evidence of its gate',
  usage: 'the command line is wrong',
  internal: 'a fault of SAGA itself',
} as const;
export type Code = keyof typeof CODES;

/** What is wrong, where, and what to do now. Lists carry these beside their good items. */
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
