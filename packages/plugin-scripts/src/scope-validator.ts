import { homedir } from 'node:os';
import { join } from 'node:path';
import { resolveReal } from '@saga-ai/core/project/resolve-real';
import { decideScope } from '@saga-ai/core/scope/scope';
import { readHookInput, say } from './hook-input.ts';
import { findStoryContext } from './story-context.ts';

/** Says whether a tool call stays in the scope of a story. Nothing outside story worktrees; no doubt passes. */
try {
  const reason = check();
  if (reason !== undefined) deny(reason);
} catch (error) {
  deny(`SAGA could not check the call (${error instanceof Error ? error.message : error}).`);
}

function check(): string | undefined {
  const { env } = process;
  const input = readHookInput();
  const cwd = input.cwd ?? process.cwd();
  const context = findStoryContext(env, cwd);
  if (!context) return undefined;
  const { storyId, worktree } = context;
  const homeFolder = env.HOME ?? homedir();
  const config = env.CLAUDE_CONFIG_DIR || join(homeFolder, '.claude');
  const verdict = decideScope(
    { tool: input.tool_name ?? '', input: input.tool_input ?? {}, cwd },
    {
      worktree,
      storyId,
      homeFolder,
      // The client keeps plans and long outputs there, and asks for them by path.
      readable: [join(config, 'projects', worktree.replace(/[^a-zA-Z0-9]/g, '-'))],
    },
    resolveReal,
  );
  return verdict.allowed ? undefined : verdict.reason;
}

function deny(reason: string): void {
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason };
  const output = { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
  say(1, JSON.stringify(output));
}
