import { messageOf, SagaError } from '@saga-ai/core/errors';
import type { Conversation } from './conversation.ts';
import type { Policy, Turn, TurnSource } from './turn.ts';

export function askPolicy(policy: Policy): TurnSource {
  let count = 0;
  return async (conversation) => {
    count++;
    const where = `Policy ${policy.name || 'without a name'}, turn ${count}`;
    return { turn: await ask(policy, conversation, where), where };
  };
}

async function ask(policy: Policy, conversation: Conversation, where: string): Promise<Turn> {
  try {
    return await policy(conversation);
  } catch (cause) {
    const message = `${where}: it failed (${messageOf(cause)}).`;
    throw new SagaError('internal', message, 'Correct the policy.', { cause });
  }
}
