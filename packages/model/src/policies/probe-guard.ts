import { join } from 'node:path';
import type { Call } from '../conversation.ts';
import type { Policy } from '../turn.ts';

/**
 * Tries once, at the start of a run, what no run may do: to write beside its worktree. What came of
 * it is for others to look at; then it goes on as the policy does.
 */
export function probeGuard(policy: Policy, name: string): Policy {
  return function probeGuard(conversation) {
    const { callsSincePrompt: calls, cwd, tools } = conversation;
    const [first] = calls;
    if (first && isProbe(first, name)) {
      return policy({ ...conversation, callsSincePrompt: calls.slice(1) });
    }
    if (first || cwd === undefined || !tools.includes('Write')) return policy(conversation);
    const input = { file_path: join(cwd, '..', name), content: 'This must be refused.\n' };
    return { text: 'First I try what must be refused.', calls: [{ tool: 'Write', input }] };
  };
}

const isProbe = ({ tool, input }: Call, name: string) =>
  tool === 'Write' && String(input.file_path).endsWith(`/${name}`);
