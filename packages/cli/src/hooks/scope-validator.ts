import { homedir } from 'node:os';
import { describeClientScope, findClientHome } from '@saga-ai/core/agents/claude/client-home';
import { formatDenial, readHookCall } from '@saga-ai/core/agents/claude/guard-wire';
import { resolveReal } from '@saga-ai/core/project/resolve-real';
import { decideScope } from '@saga-ai/core/scope/scope';
import { readHookInput, say } from './hook-input.ts';
import { findStoryContext } from './story-context.ts';

/**
 * Denies a tool call that leaves the scope of a story. Does nothing outside story worktrees. Denies a
 * call that it cannot check.
 */
try {
  const reason = check();
  if (reason !== undefined) deny(reason);
} catch (error) {
  deny(`SAGA could not check the call (${error instanceof Error ? error.message : error}).`);
}

function check(): string | undefined {
  const { env } = process;
  const input = readHookInput();
  const { accesses, cwd = process.cwd() } = readHookCall(input);
  const context = findStoryContext(env, cwd);
  if (!context) return undefined;
  const { storyId, worktree, note } = context;
  const homeFolder = env.HOME ?? homedir();
  const verdict = decideScope(
    { accesses, cwd },
    {
      ...{ worktree, storyId, homeFolder },
      ...describeClientScope(findClientHome(env, homeFolder), worktree),
    },
    resolveReal,
  );
  if (verdict.allowed) return undefined;
  return note === undefined ? verdict.reason : `${verdict.reason} (${note})`;
}

function deny(reason: string): void {
  say(1, JSON.stringify(formatDenial(reason)));
}
