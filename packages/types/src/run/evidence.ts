import * as z from 'zod/mini';

export const GATE_CHECKS = [
  'tasks',
  'changed',
  'committed',
  'definitions',
  'protected-files',
  'write-files',
  'history',
  'left',
  'verify',
  'pushed',
] as const;
export const GateCheckName = z.enum(GATE_CHECKS);
export type GateCheckName = z.infer<typeof GateCheckName>;

/**
 * Why SAGA ended a command: it took longer than `gate.timeout`, the time of the worker was up, or the worker
 * was asked to stop.
 */
const COMMAND_STOPS = ['timeout', 'deadline', 'stop'] as const;
export const CommandStop = z.enum(COMMAND_STOPS);
export type CommandStop = z.infer<typeof CommandStop>;

const stoppedBy = z.optional(
  CommandStop.check(z.describe('Why SAGA ended the command, if it did not end by itself.')),
);

export const GateCheck = z.looseObject({
  name: GateCheckName,
  outcome: z.enum(['passed', 'failed', 'skipped']),
  detail: z.string().check(z.describe('What was found, in words.')),
  files: z.optional(z.array(z.string())),
  stoppedBy,
  wasStopped: z.optional(
    z.boolean().check(z.describe('The check was stopped from outside, so it has no result.')),
  ),
});
export type GateCheck = z.infer<typeof GateCheck>;

export const VerifyRun = z.looseObject({
  command: z.string(),
  exitCode: z.nullable(z.number()),
  stoppedBy,
  startedAt: z.string(),
  endedAt: z.string(),
  outputSha256: z.string(),
  outputEnd: z.string().check(z.describe('The last lines of what it printed.')),
  checkout: z.optional(
    z
      .enum(['clean', 'worktree'])
      .check(
        z.describe(
          "Where the command ran: in a clean checkout of head, or in the story's worktree. Older evidence does not say.",
        ),
      ),
  ),
});
export type VerifyRun = z.infer<typeof VerifyRun>;

/** A signature over the rest of the evidence, made by `ssh-keygen -Y sign`. */
export const Seal = z.looseObject({
  key: z.string().check(z.describe('The fingerprint of the key.')),
  by: z
    .enum(['git', 'saga'])
    .check(z.describe("git: the person's signing key of git. saga: a key of SAGA's own.")),
  signature: z.string(),
});
export type Seal = z.infer<typeof Seal>;

/** `evidence.json` beside a story's tasks: what the gate looked at, and what it found. */
export const Evidence = z.looseObject({
  version: z.literal(1),
  story: z.string(),
  outcome: z.enum(['passed', 'failed']),
  base: z.string().check(z.describe('The commit the story started from.')),
  head: z.string().check(z.describe('The last commit that was checked.')),
  tree: z.string().check(z.describe("git's hash of all files at head.")),
  startedAt: z.string(),
  endedAt: z.string(),
  client: z.optional(z.string()),
  checks: z.array(GateCheck),
  verify: z.optional(
    VerifyRun.check(
      z.describe('The verify command as it was run; if setup failed before it, the setup command.'),
    ),
  ),
  warnings: z.optional(
    z
      .array(z.string())
      .check(z.describe('What the story changed that decides what the verify command does.')),
  ),
  restored: z
    .array(z.string())
    .check(
      z.describe(
        "Files of the plan, and git's own files and refs, that a run changed and that were restored.",
      ),
    ),
  protectedByDefault: z.optional(
    z
      .array(z.string())
      .check(z.describe('Globs of files that were protected although no setting names them.')),
  ),
  seal: z.optional(Seal),
});
export type Evidence = z.infer<typeof Evidence>;
