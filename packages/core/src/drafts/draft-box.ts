import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { FollowUp } from '@saga-ai/types/plan/follow-up';
import type { Problem } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { ensureIgnoredFolder, writeFileAtomic } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { readJsonFile } from '../files/json-file.ts';
import { formatJson } from '../files/json-text.ts';
import { listFolder } from '../files/list-folder.ts';
import { withLock } from '../processes/lock.ts';
import { draftsFolder, draftsLock, type Paths } from '../project/paths.ts';
import type { Proposed } from './split-follow-ups.ts';

/** The most drafts of one story that may wait, so that a run cannot fill the inbox. */
export const MOST_OPEN = 20;

const NAME = /^([1-9]\d{0,6})\.json$/;

/** Lists the numbers of all drafts. Cheap if there are none. */
function listNumbers(paths: Paths): number[] {
  return listFolder(paths.root, draftsFolder(paths))
    .flatMap((name) => Number(NAME.exec(name)?.[1] ?? Number.NaN))
    .filter((number) => !Number.isNaN(number))
    .toSorted((a, b) => a - b);
}

/** Loads all drafts, the oldest first, and the problems of those that cannot be read. */
export function loadDrafts(paths: Paths): { drafts: FollowUp[]; problems: Problem[] } {
  const drafts: FollowUp[] = [];
  const problems: Problem[] = [];
  for (const number of listNumbers(paths)) {
    const read = readJsonFile(paths.root, fileOf(paths, number), FollowUp);
    if ('value' in read) drafts.push({ ...read.value, number });
    else problems.push(...read.problems);
  }
  return { drafts, problems };
}

export function requireDraft(paths: Paths, given: string): FollowUp {
  const { drafts } = loadDrafts(paths);
  const draft = drafts.find(({ number }) => String(number) === given);
  if (draft) return draft;
  const open = drafts.filter(({ state }) => state === 'open').map(({ number }) => number);
  throw new SagaError(
    'not-found',
    `There is no draft ${JSON.stringify(given)}.`,
    open.length > 0 ? `These wait: ${open.join(', ')}.` : 'saga drafts list --all shows all.',
  );
}

/**
 * Keeps proposals of a run. Leaves out proposals that were kept before, even if they were accepted or dropped
 * since.
 */
export async function keepProposed(
  paths: Paths,
  from: { story: string; session: string },
  proposed: readonly Proposed[],
): Promise<{ kept: FollowUp[]; refused: number }> {
  return withDrafts(paths, () => {
    const { drafts } = loadDrafts(paths);
    const known = new Set(drafts.map(({ digest }) => digest));
    const kept: FollowUp[] = [];
    let last = listNumbers(paths).at(-1) ?? 0;
    let room =
      MOST_OPEN - drafts.filter((it) => it.from === from.story && it.state === 'open').length;
    let refused = 0;
    for (const { title, text, faults } of proposed) {
      const digest = createHash('sha256').update(`${from.story}\0${text}`).digest('hex');
      if (known.has(digest)) continue;
      if (room-- <= 0) {
        refused += 1;
        continue;
      }
      known.add(digest);
      last += 1;
      const draft: FollowUp = {
        ...{ version: 1, number: last, state: 'open', from: from.story, session: from.session },
        ...{ time: new Date().toISOString(), title, text, faults, digest },
      };
      save(paths, draft);
      kept.push(draft);
    }
    return { kept, refused };
  });
}

/** Saves what is noted about a draft. */
export async function saveDraft(
  paths: Paths,
  number: number,
  changes: Partial<Pick<FollowUp, 'state' | 'story'>>,
): Promise<void> {
  await withDrafts(paths, () =>
    save(paths, { ...requireDraft(paths, String(number)), ...changes }),
  );
}

const fileOf = (paths: Paths, number: number) => join(draftsFolder(paths), `${number}.json`);

function save(paths: Paths, draft: FollowUp): void {
  writeFileAtomic(fileOf(paths, draft.number), formatJson(draft));
}

async function withDrafts<T>(paths: Paths, act: () => T): Promise<T> {
  ensureIgnoredFolder(paths.runs);
  ensureFolder(draftsFolder(paths));
  return withLock(draftsLock(paths), act);
}
