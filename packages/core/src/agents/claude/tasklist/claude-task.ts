import { deriveBlocks } from '@saga-ai/types/plan/graph';
import { type Task, TaskStatus } from '@saga-ai/types/plan/task';
import * as z from 'zod/mini';

/** A task file of Claude Code's native list. The client never accepts null in it. */
export const ClaudeTask = z.looseObject({
  id: z.string(),
  subject: z.string(),
  description: z.string(),
  activeForm: z.optional(z.string()),
  owner: z.optional(z.string()),
  status: TaskStatus,
  blocks: z.array(z.string()),
  blockedBy: z.array(z.string()),
  metadata: z.optional(z.record(z.string(), z.unknown())),
});
export type ClaudeTask = z.infer<typeof ClaudeTask>;

/**
 * Converts the tasks of a story to native tasks. `blocks` is derived, because stories store only
 * `blockedBy`.
 */
export function toClaudeTasks(tasks: readonly Task[]): ClaudeTask[] {
  const blocks = deriveBlocks(tasks);
  return tasks.map((task) => toClaudeTask(task, blocks.get(task.id) ?? []));
}

function toClaudeTask(task: Task, blocks: string[]): ClaudeTask {
  const metadata = omitUndefined({
    semantic_id: task.id,
    guidance: task.guidance,
    doneWhen: task.doneWhen,
    needs_tests: task.needsTests,
    area: task.area,
    labels: task.labels,
    attempt_count: task.attempts,
    last_outcome: task.lastOutcome,
    escalated: task.escalated,
  });
  return {
    id: task.id,
    subject: task.subject,
    description: formatClaudeDescription(task),
    ...omitUndefined({ activeForm: task.activeForm }),
    status: task.status,
    blocks,
    blockedBy: [...task.blockedBy],
    metadata,
  };
}

const GUIDANCE_HEADING = '## Guidance';
const DONE_WHEN_HEADING = '## Done when';

/** What `needsTests` means for a run, in any mode. */
const TESTS_FIRST =
  'Tests first: write the tests of this task, see them fail, and then write the code that makes them pass.';

/**
 * Puts guidance, doneWhen and needsTests into the description, because the client does not show a task's metadata
 * to the model.
 */
export function formatClaudeDescription(
  task: Pick<Task, 'description' | 'guidance' | 'doneWhen' | 'needsTests'>,
): string {
  const sections = [task.description];
  if (task.needsTests) sections.push(TESTS_FIRST);
  if (task.guidance) sections.push(`${GUIDANCE_HEADING}\n${task.guidance}`);
  if (task.doneWhen) sections.push(`${DONE_WHEN_HEADING}\n${task.doneWhen}`);
  return sections.join('\n\n');
}

function omitUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** Native metadata keys that are fields of their own in a story's task file. */
const FIELD_OF_KEY = {
  needs_tests: 'needsTests',
  area: 'area',
  labels: 'labels',
  attempt_count: 'attempts',
  last_outcome: 'lastOutcome',
  escalated: 'escalated',
} as const;

/**
 * Metadata keys that hydration adds for readers of a native list. The story stores these values
 * elsewhere.
 */
const DERIVED_KEYS = ['semantic_id', 'guidance', 'doneWhen'];

/** Converts a native task to the fields of a story's task file. What has no field goes to `metadata`. */
export function fromTaskFields(task: Partial<ClaudeTask>): Record<string, unknown> {
  const { subject, description, status, blockedBy, owner, metadata = {} } = task;
  const fields = omitUndefined({ subject, description, status, blockedBy });
  // Undefined removes the field from an existing task; in a new task it has no effect.
  const extra: Record<string, unknown> = { owner };
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (key in FIELD_OF_KEY) extra[FIELD_OF_KEY[key as keyof typeof FIELD_OF_KEY]] = value;
    else if (!DERIVED_KEYS.includes(key) && value !== undefined) rest[key] = value;
  }
  extra.metadata = Object.keys(rest).length > 0 ? rest : undefined;
  return { ...fields, ...('status' in task ? extra : omitUndefined(extra)) };
}
