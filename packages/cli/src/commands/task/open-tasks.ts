import { basename } from 'node:path';
import { openNativeList } from '@saga-ai/core/agents/claude/tasklist/native-source';
import type { TaskSource } from '@saga-ai/core/agents/claude/tasklist/task-source';
import { SagaError } from '@saga-ai/core/errors';
import type { ArgumentSpec, Invocation, OptionSpec } from '../../command.ts';
import { environment } from '../../environment.ts';

/** Every subcommand works on a native list or, with --story, on the tasks of a story. */
export const TASK_OPTIONS = {
  list: {
    type: 'text',
    value: 'ID',
    help: 'the Claude Code list (default: the one of this session)',
  },
  story: { type: 'text', value: 'ID', help: 'the tasks of this story instead of a list' },
} as const satisfies Record<string, OptionSpec>;

export const TASK_ARGUMENT: ArgumentSpec = { name: 'id', help: 'a task', required: true };

/** Opens `--story`, else `--list`, else the list of the session, else the list with this folder's name. */
export async function openTasks({ args, text, paths, folder }: Invocation): Promise<TaskSource> {
  const storyId = text('story');
  if (storyId !== undefined) {
    const { openStoryTasks } = await import('@saga-ai/core/agents/claude/tasklist/story-source');
    return openStoryTasks(paths(), storyId);
  }
  const [, story, task] = /^([^/]+)\/([^/]+)$/.exec(args[0] ?? '') ?? [];
  if (story !== undefined && text('list') === undefined) {
    throw new SagaError(
      'not-found',
      `saga task works on Claude Code's own lists, and no task there is called ${args[0]}.`,
      `For a task of a story: --story ${story} ${task}`,
    );
  }
  const listId = text('list') ?? environment.taskListId() ?? basename(folder);
  return openNativeList({ config: environment.claudeConfig() }, listId);
}
