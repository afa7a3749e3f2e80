import { openPlainGit } from '@saga-ai/core/git/plain-git';
import { TRASH } from '@saga-ai/core/git/refs/trash-refs';
import type { Paths } from '@saga-ai/core/project/paths';
import type { TrashEntry } from '@saga-ai/core/trash/list-trash';
import type { TrashItem } from '@saga-ai/types/screens/json/recovery';
import { count } from '@saga-ai/types/words/amounts';
import { formatAgo } from '@saga-ai/types/words/times';
import { environment } from '../../environment.ts';
import type { Output } from '../../output/output.ts';
import { type Cell, formatRows } from '../../output/rows.ts';

export const openTrash = (paths: Paths) => openPlainGit(paths.root, environment.handedOver());

export function viewEntry({ ref, kind, story, keptAt, commit, note }: TrashEntry): TrashItem {
  return {
    ...{ ref, kind, story, commit },
    keptAt: new Date(keptAt).toISOString(),
    why: note?.why ?? null,
    changed: note?.changed ?? [],
    commits: note?.commits ?? 0,
  };
}

const PAST = {
  discard: 'discarded',
  reset: 'reset',
  delete: 'deleted',
  clean: 'cleaned away',
  land: 'merged',
};
const COPIES = {
  story: 'a story',
  update: 'uncommitted changes before an update',
  rehearsal: 'changes in a rehearsal',
  edit: 'tasks that an edit removed',
  migrate: 'old plans that a migration removed',
  run: 'a ref of a run',
};

/** One line for each entry. */
export function formatEntries(entries: readonly TrashEntry[], out: Output): string[] {
  return formatRows(
    entries.map((entry): Cell[] => [
      { text: entry.story, tone: 'strong', isId: true },
      { text: formatAgo(new Date(entry.keptAt).toISOString(), Date.now()), tone: 'quiet' },
      { text: describeEntry(entry), flexible: true },
      { text: entry.ref.replace(`${TRASH}/`, ''), tone: 'quiet', isId: true, keepsEnd: true },
    ]),
    out,
  );
}

/** Returns a text such as `discarded, 2 commits, 3 uncommitted files`. */
export function describeEntry({ kind, note, was }: TrashEntry): string {
  if (!note) return kind === 'run' ? `${COPIES.run}: ${was}` : COPIES[kind];
  return [
    PAST[note.why],
    ...(note.commits > 0 ? [count(note.commits, 'commit')] : []),
    ...(note.changedCount > 0 ? [count(note.changedCount, 'uncommitted file')] : []),
  ].join(', ');
}
