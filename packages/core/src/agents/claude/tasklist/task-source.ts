import type { Problem } from '@saga-ai/types/words/problem';
import type { ClaudeTask } from './claude-task.ts';
import type { Change, NewTask } from './native-edit.ts';

/** Where `saga task` finds its tasks: a native list, or a story's own files. Both speak alike. */
export interface TaskSource {
  /** For messages: "list shop" or "story cart-api". */
  label: string;
  load(): { tasks: ClaudeTask[]; problems: Problem[] };
  change(id: string, change: Change): Promise<ClaudeTask>;
  /** Nothing when somebody else holds the task just now. */
  tryChange(id: string, change: Change): Promise<ClaudeTask | undefined>;
  create(task: NewTask): Promise<ClaudeTask>;
  remove(id: string): Promise<void>;
  addDependency(id: string, blockedBy: string): Promise<void>;
  removeDependency(id: string, blockedBy: string): Promise<void>;
}
