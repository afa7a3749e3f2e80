import { SagaError } from '@saga-ai/core/errors';
import { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { isHeld } from '@saga-ai/core/overview/scan-project';
import { loadItem } from '@saga-ai/core/plan/resolve';
import { EXIT_CODES } from '@saga-ai/types/run/session-record';
import type { WaitJson } from '@saga-ai/types/screens/json/told';
import { judgeWait, WAIT_TARGETS, type WaitTarget } from '@saga-ai/types/screens/wait-for';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { readSpan } from '@saga-ai/types/words/read-span';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { cleanLine, hang } from '../../output/text.ts';
import { findWaitFacts } from './wait-facts.ts';
import { waitUntil } from './wait-until.ts';

export const command: Command<WaitJson> = {
  output: () => import('@saga-ai/types/screens/json/told').then((it) => it.WaitJson),
  args: [{ name: 'item', help: 'stories or epics', required: true, rest: true, complete: 'item' }],
  options: {
    for: { type: 'text', value: 'WHAT', choices: WAIT_TARGETS, help: 'wait for this (ended)' },
    timeout: { type: 'text', value: 'TIME', help: 'wait no longer than 90s, 30m, 2h or 1d' },
  },
  about: `Waits until each item is in the state that --for names, or until no worker and no scheduler works on the items any
more, and then prints one line.
ended: their workers have ended, well or not. in-review: their gates have passed. done: they are merged; the command goes
on waiting for a story in review, since a person may merge it. needs-you: one of them, or of an epic's stories, waits
for you. An epic is in review or done only once its scheduler has ended.

Exit codes: 0 done, 1 an error or a killed worker, 2 a limit, a stop or the timeout, 3 needs you. With several
items, the worst code counts.`,
  examples: [
    'saga run cart-api && saga wait cart-api',
    'saga wait cart-api shop --for in-review --timeout 2h',
  ],
  async run({ paths, out, args, text }) {
    const target = (text('for') ?? 'ended') as WaitTarget;
    const patience = readTimeout(text('timeout'));
    for (const id of args) loadItem(paths(), id);
    const env = environment.handedOver();
    const stop = environment.stopSignal();
    // A change that cannot be read now is read again with the next change.
    const project = await LiveProject.open(paths(), env, () => {});
    const began = Date.now();
    try {
      const look = () =>
        judgeWait(
          target,
          findWaitFacts(project, args, (id) => isHeld(paths(), id)),
        );
      await project.follow();
      const verdict = await waitUntil(project, look, patience, stop);
      const { isOver, ...end } = verdict ?? look();
      const exitCode = isOver ? end.exitCode : EXIT_CODES.limit;
      const isTimeUp = !isOver && !stop.aborted;
      if (out.json) {
        out.value({ for: target, ...end, isTimeUp, exitCode });
        return exitCode;
      }
      const sign = exitCode === 0 ? out.paint('done', '✓') : out.paint('needs-you', '!');
      const why = isOver ? '' : isTimeUp ? 'the time is up: ' : 'stopped waiting: ';
      const took = formatDuration(Date.now() - began);
      out.lines(hang(`${sign} `, cleanLine(`${why}${end.text} · waited ${took}`), out.width));
      return exitCode;
    } finally {
      await project.close();
    }
  },
};

function readTimeout(given: string | undefined): number | undefined {
  const ms = given === undefined ? undefined : readSpan(given);
  if (given === undefined || ms !== undefined) return ms;
  throw new SagaError(
    'usage',
    `--timeout is not a span of time: ${JSON.stringify(given)}.`,
    'Such as --timeout 90s, --timeout 30m, --timeout 2h or --timeout 1d.',
  );
}
