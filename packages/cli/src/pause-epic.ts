import { saveControl } from '@saga-ai/core/epic/control';
import { isEpicRunning } from '@saga-ai/core/epic/start-epic';
import { SagaError } from '@saga-ai/core/errors';
import { loadItem } from '@saga-ai/core/plan/resolve';
import type { PauseJson } from '@saga-ai/types/screens/json/run';
import type { Invocation } from './command.ts';
import { sayWord } from './fleet/say-word.ts';

/** Pauses an epic that runs, or lets it go on. */
export async function setPaused(
  { paths, out, args }: Invocation<PauseJson>,
  isPaused: boolean,
): Promise<number> {
  const id = args[0] ?? '';
  if (loadItem(paths(), id).kind !== 'epic') {
    throw new SagaError(
      'usage',
      `${id} is a story; only an epic can be paused.`,
      `Stop it: saga stop ${id}. saga run ${id} goes on later.`,
    );
  }
  const machine = await sayWord(paths(), id, 'control', { isPaused });
  if (machine === undefined && !isEpicRunning(paths(), id)) {
    throw new SagaError('session-failed', `Epic ${id} is not running.`, `Start it: saga run ${id}`);
  }
  if (machine === undefined) saveControl(paths(), id, { isPaused });
  if (out.json) {
    out.value({ epic: id, isPaused });
    return 0;
  }
  out.lines([
    isPaused
      ? `${out.paint('done', '✓')} ${id} is paused: nothing new begins; to go on: saga continue ${id}`
      : `${out.paint('done', '✓')} ${id} goes on`,
  ]);
  return 0;
}
