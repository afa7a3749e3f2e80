import { fileURLToPath } from 'node:url';
import type { Conversation, Policy, Turn } from '@saga-ai/model';
import { findClient } from '../client/client.ts';
import { type ClientRun, startClient } from '../client/client-run.ts';
import type { Workshop } from './workshop.ts';

export const PLUGIN = fileURLToPath(new URL('../../../plugin', import.meta.url));
export const MARKETPLACE = fileURLToPath(new URL('../../..', import.meta.url));

/** A policy that plays turns for the person's session. All other requests get the answers of the other policy. */
export function answerSession(mark: string, turns: readonly Turn[], others: Policy): Policy {
  return (conversation) => {
    if (!conversation.prompt.includes(mark)) return others(conversation);
    return turns[conversation.callsSincePrompt.length] ?? { text: 'Done.' };
  };
}

export interface PluginSession {
  prompt: string;
  cwd?: string;
  args?: string[];
  env?: Record<string, string>;
}

/** A session of a person with the plugin: the folder itself unless `args` say otherwise. */
export function runPluginSession(it: Workshop, session: PluginSession): Promise<ClientRun> {
  const { prompt, cwd = it.root, args = ['--plugin-dir', PLUGIN], env = {} } = session;
  return startClient(findClient(), {
    args: ['-p', '--output-format', 'stream-json', '--verbose', ...args],
    cwd,
    env: { ...it.environment, ...env },
    prompt,
  }).ended;
}

/** What each tool call of the session was answered. */
export function answersOf({ requests }: Workshop['model'], mark: string): string[] {
  const last = requests.findLast(({ conversation }) => conversation.prompt.includes(mark));
  const { calls = [] } = (last?.conversation ?? {}) as Partial<Conversation>;
  return calls.map((call) => call.result?.text ?? '');
}
