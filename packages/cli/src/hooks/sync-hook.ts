import { readHookStatus } from '@saga-ai/core/agents/claude/guard-wire';
import { saveStatus } from '@saga-ai/core/plan/save-status';
import { buildPaths } from '@saga-ai/core/project/paths';
import { readHookInput, say } from './hook-input.ts';
import { findStoryContext } from './story-context.ts';

/** Writes a status that was set in a session into the story's task file. A failure is only reported. */
sync().then(
  (line) => {
    if (line !== undefined) say(1, JSON.stringify({ systemMessage: line }));
  },
  (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    say(2, `SAGA did not sync the status: ${reason}`);
  },
);

async function sync(): Promise<string | undefined> {
  const input = readHookInput();
  const context = findStoryContext(process.env, input.cwd ?? process.cwd());
  const change = readHookStatus(input);
  if (!context || !change) return undefined;
  const { task, to } = change;
  const { storyId, project } = context;
  const result = await saveStatus(buildPaths(project), storyId, task, to);
  if (result === 'unchanged') return undefined;
  return result === 'changed'
    ? `SAGA: ${storyId}/${task} is ${to}`
    : `SAGA: ${task} is not a task of story ${storyId}; nothing was written`;
}
