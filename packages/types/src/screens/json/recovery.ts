import * as z from 'zod/mini';
import { TRASH_REASONS } from '../../run/trash-note.ts';
import { Problem } from '../../words/problem.ts';
import { LIFE_STATES } from '../life.ts';

/** The `--json` output of `saga recover`, `trash`, `clean`, `reset`, `rename` and `delete`. */
const texts = z.array(z.string());

const Evidence = z.strictObject({
  says: z.string().check(z.describe('What is known.')),
  source: z.string().check(z.describe('The file or the command that says it.')),
});
export type EvidenceLine = z.infer<typeof Evidence>;

export const InFlight = z.strictObject({
  id: z.string(),
  kind: z.enum(['story', 'epic']),
  title: z.string(),
  state: z.enum(LIFE_STATES),
  reason: z.string(),
  worktree: z.nullable(
    z.strictObject({
      folder: z.string(),
      changed: texts.check(z.describe('Files with changes that no commit has, also new ones.')),
      operation: z
        .nullable(z.string())
        .check(z.describe('What git is in the middle of, such as `rebase`.')),
    }),
  ),
  branch: z.nullable(z.string()),
  pr: z.nullable(z.string()),
  ahead: z.nullable(z.number()).check(z.describe('Commits that the base does not have.')),
  behind: z.nullable(z.number()).check(z.describe('Commits of the base that the branch lacks.')),
  unpushed: z
    .nullable(z.number())
    .check(z.describe('Commits that the remote does not have; null without a remote.')),
  task: z.nullable(z.string()).check(z.describe('The id of the task that was under way.')),
  next: z.strictObject({
    kind: z
      .enum(['resume', 'person'])
      .check(z.describe('`resume`: it can go on as it is. `person`: somebody has to act first.')),
    command: z.string(),
    what: z.string().check(z.describe('What that command would do.')),
  }),
  evidence: z.array(Evidence),
});
export type InFlight = z.infer<typeof InFlight>;

export const ORPHAN_KINDS = [
  'worktree-without-story',
  'worktree-gone',
  'branch-without-story',
  'branch-only-on-remote',
  'lock-of-the-dead',
  'lock-of-another-machine',
  'session-of-another-machine',
  'session-without-worker',
  'list-without-story',
  'process-without-worker',
] as const;

export const Orphan = z.strictObject({
  kind: z.enum(ORPHAN_KINDS),
  name: z.string(),
  explanation: z.string(),
  remedy: z.string().check(z.describe('What to do about it.')),
  evidence: z.array(Evidence),
});
export type Orphan = z.infer<typeof Orphan>;

const Discarded = z.strictObject({
  id: z.string(),
  ref: z.nullable(z.string()).check(z.describe('Where it is kept; null if nothing was there.')),
  folder: z.nullable(z.string()).check(z.describe('The worktree that was removed.')),
  branch: z.nullable(z.string()).check(z.describe('The branch that was removed.')),
  remoteBranch: z.nullable(z.string()).check(z.describe('The branch on the remote, which stays.')),
});
export type DiscardedView = z.infer<typeof Discarded>;

const Started = z.strictObject({
  id: z.string(),
  session: z.nullable(z.string()).check(z.describe('null if it could not be started.')),
  error: z.nullable(z.string()),
});

export const RecoverJson = z.strictObject({
  inFlight: z.array(InFlight),
  orphans: z.array(Orphan),
  running: texts.check(z.describe('Stories with a living worker.')),
  resumed: z.array(Started).check(z.describe('Only with --resume or --resume-all.')),
  discarded: z.nullable(Discarded).check(z.describe('Only with --discard.')),
  problems: z.array(Problem),
});
export type RecoverJson = z.infer<typeof RecoverJson>;

const TrashItem = z.strictObject({
  ref: z.string(),
  kind: z
    .enum(['story', 'update', 'rehearsal', 'edit', 'migrate', 'run'])
    .check(z.describe('A story can be restored; the others are copies that SAGA made.')),
  story: z.string(),
  keptAt: z.string().check(z.describe('ISO time.')),
  commit: z.string(),
  why: z.nullable(z.enum(TRASH_REASONS)),
  changed: texts.check(z.describe('Files that no commit had.')),
  commits: z.number().check(z.describe('Commits that neither base nor remote had.')),
});
export type TrashItem = z.infer<typeof TrashItem>;

export const TrashListJson = z.strictObject({ entries: z.array(TrashItem) });
export type TrashListJson = z.infer<typeof TrashListJson>;

export const TrashShowJson = z.strictObject({
  entry: TrashItem,
  log: texts.check(z.describe('The commits, the newest first, at most 20.')),
  files: texts.check(z.describe('What differs from the last commit, as `status path`.')),
});
export type TrashShowJson = z.infer<typeof TrashShowJson>;

export const TrashRestoreJson = z.strictObject({
  ref: z.string(),
  story: z.string(),
  branch: z.nullable(z.string()),
  folder: z.nullable(z.string()),
  plan: texts.check(z.describe('Files of the plan that were brought back.')),
});
export type TrashRestoreJson = z.infer<typeof TrashRestoreJson>;

export const TrashEmptyJson = z.strictObject({
  entries: z.array(TrashItem),
  done: z.boolean().check(z.describe('false: they were only shown.')),
});
export type TrashEmptyJson = z.infer<typeof TrashEmptyJson>;

export const ResetJson = z.strictObject({
  ...Discarded.shape,
  tasks: texts.check(z.describe('The tasks that are pending again.')),
});
export type ResetJson = z.infer<typeof ResetJson>;

export const RenameJson = z.strictObject({
  from: z.string(),
  to: z.string(),
  files: texts.check(z.describe('What was changed, relative to the project.')),
});
export type RenameJson = z.infer<typeof RenameJson>;

export const DeleteJson = z.strictObject({
  ...Discarded.shape,
  rewired: texts.check(z.describe('What waited for it, and no longer does.')),
});
export type DeleteJson = z.infer<typeof DeleteJson>;

export const CleanJson = z.strictObject({
  items: z.array(
    z.strictObject({
      kind: z.enum(['story', 'session', 'log', 'list', 'put-back']),
      name: z.string(),
      why: z.string(),
    }),
  ),
  kept: z
    .array(z.strictObject({ name: z.string(), why: z.string() }))
    .check(z.describe('What is over, but has work in it.')),
  done: z.boolean().check(z.describe('false: they were only shown.')),
});
export type CleanJson = z.infer<typeof CleanJson>;
