import * as z from 'zod/mini';
import { TaskStatus } from '../../plan/task.ts';
import { Problem } from '../../words/problem.ts';
import { ProgressView } from '../overview.ts';
import { TASK_STATES } from '../story-state.ts';

/** The `--json` output of the subcommands of `saga task`. The key `version` comes first. */
const texts = z.array(z.string());
const problems = z.array(Problem);
const TaskState = z.enum(TASK_STATES);

/** A task of a native list as `saga task` shows it, including unknown fields. */
export const TaskView = z.looseObject({
  id: z.string(),
  subject: z.string(),
  description: z.string(),
  activeForm: z.optional(z.string()),
  owner: z.optional(z.string()),
  status: TaskStatus,
  blocks: texts,
  blockedBy: texts,
  metadata: z.optional(z.record(z.string(), z.unknown())),
  state: TaskState,
  waitsFor: texts.check(z.describe('Tasks that this task still waits for.')),
  labels: texts,
  abandoned: z.boolean().check(z.describe('The process that claimed the task is gone.')),
});
export type TaskView = z.infer<typeof TaskView>;

export const TaskJson = z.strictObject({ task: TaskView });
export type TaskJson = z.infer<typeof TaskJson>;

export const TasksJson = z.strictObject({ tasks: z.array(TaskView), problems });
export type TasksJson = z.infer<typeof TasksJson>;

export const PopJson = z.union([TaskJson, z.strictObject({ task: z.null(), problems })]);
export type PopJson = z.infer<typeof PopJson>;

export const NewTaskIdJson = z.strictObject({ id: z.string() });
export type NewTaskIdJson = z.infer<typeof NewTaskIdJson>;

export const EditedTaskJson = z.strictObject({ id: z.string(), changed: z.boolean() });
export type EditedTaskJson = z.infer<typeof EditedTaskJson>;

export const DeletedTaskJson = z.strictObject({ deleted: z.string() });
export type DeletedTaskJson = z.infer<typeof DeletedTaskJson>;

export const DependencyJson = z.strictObject({
  id: z.string(),
  blockedBy: z.string(),
  act: z.enum(['add', 'rm']),
});
export type DependencyJson = z.infer<typeof DependencyJson>;

export const TaskTreeNode = z.strictObject({
  id: z.string(),
  subject: z.string(),
  state: TaskState,
  again: z.boolean().check(z.describe('The task is shown in full elsewhere in the tree.')),
  get children(): z.ZodMiniArray<typeof TaskTreeNode> {
    return z.array(TaskTreeNode);
  },
});
export type TaskTreeNode = z.infer<typeof TaskTreeNode>;

export const TaskTreeJson = z.strictObject({ tree: z.array(TaskTreeNode), problems });
export type TaskTreeJson = z.infer<typeof TaskTreeJson>;

export const TaskCountJson = z.strictObject({ count: z.number(), problems });
export type TaskCountJson = z.infer<typeof TaskCountJson>;

export const TaskStatusJson = z.strictObject({
  label: z.string(),
  progress: ProgressView,
  counts: z.record(TaskState, z.number()),
  problems,
});
export type TaskStatusJson = z.infer<typeof TaskStatusJson>;

/** One line for every change. */
export const TaskChangeJson = z.strictObject({
  time: z.string(),
  id: z.string(),
  from: z.nullable(TaskState).check(z.describe('null: the task is new.')),
  to: z.nullable(TaskState).check(z.describe('null: the task was deleted.')),
  owner: z.nullable(z.string()),
});
export type TaskChangeJson = z.infer<typeof TaskChangeJson>;
