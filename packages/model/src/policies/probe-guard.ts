import { join } from 'node:path';
import type { Call } from '../conversation.ts';
import type { Policy } from '../turn.ts';

/**
 * A policy that at the start of a run tries once to write outside the worktree, which the guard must refuse. It does
 * not check the result. Then it continues with the given policy.
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
