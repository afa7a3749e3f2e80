import { displayPath } from '@saga-ai/core/project/display-path';
import type { Paths } from '@saga-ai/core/project/paths';
import type { RecoveryPlan } from '@saga-ai/core/recovery/plan';
import type { EvidenceLine, InFlight, Orphan } from '@saga-ai/types/screens/json/recovery';
import { count } from '@saga-ai/types/words/amounts';
import type { Output } from '../../output/output.ts';
import { cleanLine, hang, measure, pad } from '../../output/text.ts';

const WIDEST_ID = 24;

/** What was in flight and what is left over, for people. */
export function formatPlan(
  { inFlight, orphans, running }: RecoveryPlan,
  { root }: Paths,
  out: Output,
): string[] {
  const widest = Math.max(0, ...inFlight.map(({ id }) => measure(id)));
  const indent = Math.min(widest, WIDEST_ID) + 4;
  const lines = [
    ...(inFlight.length === 0
      ? ['Nothing was in flight.']
      : [
          `${describeCounts(inFlight)} in flight when ${inFlight.length === 1 ? 'its worker' : 'their workers'} ended.`,
          ...inFlight.flatMap((item) => formatItem(item, indent, root, out)),
        ]),
    ...(running.length > 0 ? [`Running now: ${running.join(', ')} (saga sessions)`] : []),
    ...(orphans.length === 0
      ? []
      : [
          '',
          `${count(orphans.length, 'orphan')}: not used by any story or worker any more.`,
          ...orphans.flatMap((orphan) => formatOrphan(orphan, out)),
        ]),
  ];
  return inFlight.length + orphans.length === 0 && running.length === 0
    ? ['Nothing was in flight, and nothing is left over.']
    : lines;
}

/** Returns a text such as `1 epic and 2 stories were`. */
function describeCounts(inFlight: readonly InFlight[]): string {
  const epics = inFlight.filter(({ kind }) => kind === 'epic').length;
  const stories = inFlight.length - epics;
  const parts = [
    ...(epics > 0 ? [count(epics, 'epic')] : []),
    ...(stories > 0 ? [count(stories, 'story', 'stories')] : []),
  ];
  return `${parts.join(' and ')} ${inFlight.length === 1 ? 'was' : 'were'}`;
}

function formatItem(item: InFlight, indent: number, root: string, out: Output): string[] {
  const { id, state, reason, evidence, next, worktree } = item;
  const tone = state === 'needs you' ? 'needs-you' : 'waiting';
  const name = `  ${out.paint('strong', id)}`;
  const head = measure(id) > indent - 4 ? `${name}  ` : pad(name, indent);
  const below = (text: string) => hang(' '.repeat(indent), text, out.width);
  // The reason and the folder are said once; each piece of evidence is short.
  return [
    ...hang(head, out.paint(tone, cleanLine(reason)), out.width, indent),
    ...(worktree ? below(out.paint('quiet', displayPath(root, worktree.folder))) : []),
    ...below(evidence.map(formatEvidence).map(cleanLine).join(', ')),
    ...below(`→ ${next.command}   ${out.paint('quiet', next.what)}`),
    ...(next.kind === 'resume' && item.kind === 'story' && worktree
      ? below(out.paint('quiet', `or saga recover --discard ${id}   kept in the trash`))
      : []),
  ];
}

/** Times are shown as the clock of this machine shows them. */
function formatEvidence({ says }: EvidenceLine): string {
  return says.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, (time) =>
    new Date(time).toTimeString().slice(0, 8),
  );
}

function formatOrphan({ kind, name, explanation, remedy }: Orphan, out: Output): string[] {
  const words = `${kind.replaceAll('-', ' ')}: ${explanation}`;
  return [
    `  ${out.paint('strong', cleanLine(name))}`,
    ...hang('    ', cleanLine(words), out.width),
    ...hang('    ', `→ ${cleanLine(remedy)}`, out.width),
  ];
}
