import { basename } from 'node:path';
import { openNativeList } from '@saga-ai/core/agents/claude/tasklist/native-source';
import type { TaskSource } from '@saga-ai/core/agents/claude/tasklist/task-source';
import type { ArgumentSpec, Invocation, OptionSpec } from '../../command.ts';
import { environment } from '../../environment.ts';

/** Every verb works on a native list or, with --story, on a story's own files. */
export const TASK_OPTIONS = {
  list: { type: 'text', value: 'ID', help: 'the native list, else the one of this session' },
  story: { type: 'text', value: 'ID', help: "a story's own tasks instead" },
} as const satisfies Record<string, OptionSpec>;

export const TASK_ARGUMENT: ArgumentSpec = { name: 'id', help: 'a task', required: true };

/** `--story`, else `--list`, else the session's list, else the one named like this folder. */
export async function openTasks({ text, paths, folder }: Invocation): Promise<TaskSource> {
  const storyId = text('story');
  if (storyId !== undefined) {
    const { openStoryTasks } = await import('@saga-ai/core/agents/claude/tasklist/story-source');
    return openStoryTasks(paths(), storyId);
  }
  const listId = text('list') ?? environment.taskListId() ?? basename(folder);
  return openNativeList({ config: environment.claudeConfig() }, listId);
}
