import type { PauseJson } from '@saga-ai/types/screens/json/run';
import type { Command } from '../../command.ts';
import { setPaused } from '../../pause-epic.ts';

export const command: Command<PauseJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.PauseJson),
  args: [{ name: 'epic', help: 'an epic', required: true, complete: 'item' }],
  about: `Continues an epic that saga pause has paused.`,
  examples: ['saga continue shop'],
  run: (invocation) => setPaused(invocation, false),
};
