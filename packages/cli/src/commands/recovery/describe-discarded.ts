import type { Discarded } from '@saga-ai/core/recovery/discard';
import type { DiscardedView } from '@saga-ai/types/screens/json/recovery';
import { count } from '@saga-ai/types/words/amounts';
import type { Output } from '../../output/output.ts';

export function viewDiscarded(id: string, discarded: Discarded): DiscardedView {
  const { ref = null, folder = null, branch = null, remoteBranch = null } = discarded;
  return { id, ref, folder, branch, remoteBranch };
}

/** Says what was removed, where it is kept, and how it comes back. */
export function describeDiscarded(
  id: string,
  done: string,
  { ref, note, folder, branch, remoteBranch }: Discarded,
  show: (path: string) => string,
  out: Output,
  sign = out.paint('done', '✓'),
): string[] {
  const kept = note
    ? [
        ...(note.commits > 0 ? [count(note.commits, 'commit')] : []),
        ...(note.changedCount > 0 ? [count(note.changedCount, 'uncommitted file')] : []),
      ]
    : [];
  const removed = [...(folder ? [show(folder)] : []), ...(branch ? [branch] : [])];
  const [remote = '', ...rest] = (remoteBranch ?? '').split('/');
  return [
    `${sign} ${out.paint('strong', id)} ${done}`,
    ...(remoteBranch
      ? [
          `  remote   ${remoteBranch} is still there, and the next run goes on from it.`,
          `           To begin anew: git push ${remote} --delete ${rest.join('/')}`,
        ]
      : []),
    ...(removed.length > 0 ? [`  removed  ${removed.join(', ')}`] : []),
    ...(ref
      ? [
          `  kept     ${kept.length > 0 ? `${kept.join(', ')} in ` : ''}${ref}`,
          `  back     saga trash restore ${id}`,
        ]
      : []),
  ];
}
