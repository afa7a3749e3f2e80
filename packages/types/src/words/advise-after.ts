import type { Cause } from '../run/cause.ts';
import type { OutcomeKind } from '../run/session-record.ts';
import type { AdviceAfter } from './advice-after.ts';
import { adviseAfterGate } from './advise-after-gate.ts';

interface End {
  kind: OutcomeKind;
  cause?: Cause | undefined;
  /** What to do about an error. */
  hint?: string | undefined;
}

/**
 * Returns what to do after a worker has ended, or [] if the story is done. `worktree` is the path of the worktree, if
 * the caller knows it.
 */
export function adviseAfter(
  { kind, cause, hint }: End,
  storyId: string,
  worktree?: string | undefined,
): AdviceAfter[] {
  const resume = to('resume', `saga run ${storyId}`);
  if (hint !== undefined) return [{ hint }];
  if (kind === 'stopped') return [resume];
  switch (cause?.kind) {
    case 'limit':
      if (cause.of === 'usd' || cause.of === 'tokens') {
        // The budget counts for the story: without a larger one, the next worker would stop at once.
        return [to('resume with more', `saga run ${storyId} --budget-${cause.of} …`)];
      }
      // Another run alone would probably end the same way.
      return cause.of === 'no-progress'
        ? [to('see what it said', `saga logs ${storyId}`), resume]
        : [resume];
    case 'blocker':
      return [to('answer', `saga resolve ${storyId}`)];
    case 'escalated':
      return [
        to('see why', `saga logs ${storyId}`),
        ...cause.tasks.map((task) =>
          to('try again', `saga task reopen --story ${storyId} ${task}`),
        ),
      ];
    case 'gate':
      return [
        to('see each check', `saga verify ${storyId}`),
        ...adviseAfterGate({ storyId, worktree, checks: cause.checks }),
      ];
    default:
      return [];
  }
}

const to = (aim: string, command: string): AdviceAfter => ({ aim: `to ${aim}`, steps: [command] });
