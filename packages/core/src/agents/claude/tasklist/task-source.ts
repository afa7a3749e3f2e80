import type { Problem } from '@saga-ai/types/words/problem';
import type { ClaudeTask } from './claude-task.ts';
import type { Change, NewTask } from './native-edit.ts';

/** The tasks that `saga task` works on: those of a native list or of a story. */
export interface TaskSource {
  /** For messages: "list shop" or "story cart-api". */
  label: string;
  load(): { tasks: ClaudeTask[]; problems: Problem[] };
  change(id: string, change: Change): Promise<ClaudeTask>;
  /** Returns undefined if another process holds the task's lock. */
  tryChange(id: string, change: Change): Promise<ClaudeTask | undefined>;
  create(task: NewTask): Promise<ClaudeTask>;
  remove(id: string): Promise<void>;
  addDependency(id: string, blockedBy: string): Promise<void>;
  removeDependency(id: string, blockedBy: string): Promise<void>;
}
