import type { PauseJson } from '@saga-ai/types/screens/json/run';
import type { Command } from '../../command.ts';
import { setPaused } from '../../pause-epic.ts';

export const command: Command<PauseJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.PauseJson),
  args: [{ name: 'epic', help: 'an epic', required: true, complete: 'item' }],
  about: `Pauses a running epic: no story is started and nothing is merged. Stories that run go on to their end.
saga continue ends the pause.`,
  examples: ['saga pause shop'],
  run: (invocation) => setPaused(invocation, true),
};
