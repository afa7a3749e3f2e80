import type { Check } from '../../forge/pull-request-status.ts';
import type { Remark, Reviewed, Thread } from '../../forge/reviewed.ts';

/** Something on a pull request that a run should work on. */
export interface FoundWork {
  /** The permanent name of the remark, so that runs work on it only once. */
  key: string;
  kind: 'check' | 'review' | 'thread' | 'conflict';
  /** The title, on one line. */
  title: string;
  /** Written by people on GitHub, or by a check. It is quoted as data. */
  quotes: readonly { from: string; text: string }[];
  /** What SAGA itself tells the run to do. */
  order: string;
  /** The job whose log is read. */
  jobId?: number;
}

/** Something that looks like work, but is not. */
export interface Ignored {
  key: string;
  title: string;
  reason: string;
}

/** Says whose remarks count. */
export type IsTrusted = (login: string) => boolean;

/** SAGA's answers end with this, so that they are known as its own. The key says what was answered. */
export const formatMark = (key: string): string => `<!-- saga:answer ${key} -->`;

/** Finds what a pull request asks for: red checks, reviews that request changes, open threads, a conflict. */
export function findWork(
  pull: Reviewed,
  isTrusted: IsTrusted,
): { work: FoundWork[]; ignored: Ignored[]; running: number } {
  const work: FoundWork[] = [];
  const ignored: Ignored[] = [];
  findChecks(pull, work, ignored);
  findReviews(pull, isTrusted, work, ignored);
  for (const thread of pull.threads) findThread(pull, thread, isTrusted, work, ignored);
  if (pull.hasConflict) {
    const { branch, commit } = pull.base;
    const order = `Merge ${commit.slice(0, 12)} into your branch (git merge ${commit.slice(0, 12)}), resolve the conflicts so that both changes keep their meaning, and commit the merge.`;
    const title = `#${pull.number} conflicts with ${branch}`;
    work.push({ key: `conflict:${commit}`, kind: 'conflict', title, quotes: [], order });
  }
  return { work, ignored, running: pull.checks.filter(isRunning).length };
}

const isRunning = ({ state }: Check) => state === 'pending';

/**
 * Finds red checks. Returns none while checks are running, so that one run mends all of them. Leaves out checks that
 * are red on the base too.
 */
function findChecks(
  { checks, base, head, number }: Reviewed,
  work: FoundWork[],
  ignored: Ignored[],
): void {
  if (checks.some(isRunning)) return;
  const isRed = (it: Check) => it.state === 'failed';
  const redOnBase = new Set(base.checks.filter(isRed).map((it) => it.name));
  for (const { name, jobId, url } of checks.filter(isRed)) {
    const title = `#${number} check ${name} failed`;
    if (redOnBase.has(name)) {
      const key = `check:${name}@${base.commit}`;
      const reason = `it is red on ${base.branch} too, so it is not the story's fault`;
      ignored.push({ key, title, reason });
      continue;
    }
    work.push({
      key: `check:${name}@${head}`,
      kind: 'check',
      title,
      quotes: [],
      order: `Find out why the check fails for commit ${head.slice(0, 12)}, and correct it.${url === undefined ? '' : ` (${url})`}`,
      jobId,
    });
  }
}

/**
 * Finds reviews that request changes. Only the last review of each person counts. A review without a text is left out,
 * because its threads say what it wants.
 */
function findReviews(
  { reviews, number }: Reviewed,
  isTrusted: IsTrusted,
  work: FoundWork[],
  ignored: Ignored[],
): void {
  const decided = reviews.filter((it) => it.state !== 'COMMENTED' && it.state !== 'PENDING');
  const last = new Map(decided.map((it) => [it.author, it]));
  for (const { id, author, body, state } of last.values()) {
    if (state !== 'CHANGES_REQUESTED' || body.trim() === '') continue;
    const title = `#${number} ${author} requests changes`;
    const key = `review:${id}`;
    if (!isTrusted(author)) ignored.push({ key, title, reason: strangerReason(author) });
    else {
      const quotes = [{ from: author, text: body }];
      work.push({ key, kind: 'review', title, quotes, order: ORDER });
    }
  }
}

const ORDER = 'Change the code so that the remark is met, if it is about this story.';

function findThread(
  { viewer, number }: Reviewed,
  { id, isResolved, path, line, comments }: Thread,
  isTrusted: IsTrusted,
  work: FoundWork[],
  ignored: Ignored[],
): void {
  if (isResolved) return;
  const isOwn = ({ author, body }: Remark) =>
    author === viewer && body.includes('<!-- saga:answer ');
  const since = comments.slice(comments.findLastIndex(isOwn) + 1);
  const counted = since.filter((it) => isTrusted(it.author));
  const place = line === null ? path : `${path}:${line}`;
  for (const { id: comment, author } of since.filter((it) => !isTrusted(it.author))) {
    const title = `#${number} ${author} on ${place}`;
    ignored.push({ key: `comment:${comment}`, title, reason: strangerReason(author) });
  }
  const newest = counted.at(-1);
  if (!newest) return;
  work.push({
    key: `thread:${id}@${newest.id}`,
    kind: 'thread',
    title: `#${number} ${newest.author} on ${place}`,
    quotes: counted.map(({ author, body }) => ({ from: author, text: body })),
    order: `${ORDER} It is about ${place}.`,
  });
}

const strangerReason = (login: string) =>
  `${login || 'the author'} cannot write to the repository; pullRequest.trust can name them`;
