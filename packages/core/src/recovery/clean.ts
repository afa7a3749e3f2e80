import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '@saga-ai/types/config';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import type { CleanJson } from '@saga-ai/types/screens/json/recovery';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { count } from '@saga-ai/types/words/amounts';
import { formatStoryBranch, formatTaskListId, parseAnySession } from '@saga-ai/types/words/names';
import { agent } from '../agents/chosen.ts';
import { listFolder } from '../files/list-folder.ts';
import { removeTree } from '../files/remove-tree.ts';
import { findSessionFolder } from '../files/session-folder.ts';
import { loadRefs, type Refs } from '../git/branches.ts';
import { type Git, isAncestor } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { listUncommitted } from '../git/uncommitted.ts';
import { findUsableWorktree } from '../git/worktree.ts';
import { openKnownBases } from '../overview/facts/base-branches.ts';
import { loadOverview } from '../overview/overview.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import type { Environment } from '../processes/run.ts';
import { displayPath } from '../project/display-path.ts';
import { fleetFolder, type Paths, putBackFolder, sessionRecordFile } from '../project/paths.ts';
import { loadSessionRecords, stateOfSession } from '../records/session-records.ts';
import { discardWork } from './discard.ts';

/** One thing that `saga clean` removes. */
export type CleanItem = CleanJson['items'][number] & { remove(): Promise<void> };

export interface CleanPlan {
  items: CleanItem[];
  /** Leftovers that are kept, because they contain work. */
  kept: CleanJson['kept'];
}

export interface CleanOrder {
  paths: Paths;
  env: Environment;
  clientHome: string;
  userId: number | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Lists what finished stories and old sessions left. Removes nothing itself. Worktrees and branches go into
 * the trash; records, logs, native lists and put-back copies are only listed when they are older than
 * `clean.keepDays`.
 */
export async function planClean(order: CleanOrder): Promise<CleanPlan> {
  const { paths, env, now } = order;
  const { stories } = await loadOverview(paths, env);
  const config = loadConfigOrDefaults(paths, { environment: env });
  const git = openPlainGit(paths.root, env);
  const before = now - config.clean.keepDays * DAY_MS;
  const found = await findDone(order, git, stories, config);
  const sessions = findSessions(order, stories, before);
  const more = [...findCopies(paths, before), ...findPutBack(paths, before)];
  return { items: [...found.items, ...sessions, ...more], kept: found.kept };
}

/** Worktrees and branches of stories that are done. */
async function findDone(
  { paths, env }: CleanOrder,
  git: Git,
  stories: readonly StoryView[],
  config: Config,
): Promise<CleanPlan> {
  const plan: CleanPlan = { items: [], kept: [] };
  const { code } = await git.attempt(['rev-parse', '--git-dir']);
  if (code !== 0) return plan;
  const refs = await loadRefs(git);
  const basesOf = openKnownBases(paths, config, refs);
  for (const { id, state } of stories) {
    if (state !== 'done') continue;
    const worktree = findUsableWorktree(paths, id);
    const tip = refs.commits.get(`refs/heads/${formatStoryBranch(id)}`);
    if (!worktree?.isOwn && tip === undefined) continue;
    const name = [
      ...(worktree?.isOwn ? [displayPath(paths.root, worktree.folder)] : []),
      ...(tip === undefined ? [] : [formatStoryBranch(id)]),
    ].join(', ');
    const folder = worktree?.isOwn ? worktree.folder : undefined;
    const work = await findWork(git, folder, tip, refs, basesOf(id));
    if (work !== undefined) plan.kept.push({ name, why: work });
    else {
      plan.items.push({
        kind: 'story',
        name,
        why: `${id} is done; kept in the trash`,
        remove: async () => void (await discardWork({ paths, id, env, why: 'clean' })),
      });
    }
  }
  return plan;
}

/** Returns in words what would be lost, or undefined if nothing would be lost. */
async function findWork(
  git: Git,
  folder: string | undefined,
  tip: string | undefined,
  refs: Refs,
  bases: readonly string[],
): Promise<string | undefined> {
  if (folder !== undefined) {
    const changed = await listUncommitted(openPlainGit(folder, git.env));
    if (changed.length > 0) return `${count(changed.length, 'uncommitted file')}`;
  }
  if (tip === undefined) return undefined;
  const remotes = [...refs.commits].filter(([ref]) => ref.startsWith('refs/remotes/'));
  if (remotes.some(([, commit]) => commit === tip)) return undefined;
  for (const base of bases) if (await isAncestor(git, tip, base)) return undefined;
  const known = [...bases, '--remotes'];
  const counted = await git.attempt(['rev-list', '--count', tip, '--not', ...known]);
  const own = Number(counted.stdout);
  return counted.code === 0 && own === 0
    ? undefined
    : `${count(own || 1, 'commit')} that neither base nor remote has`;
}

/**
 * Records, logs and native lists of old sessions. The newest record of a story says how its last worker ended,
 * and all of them what the story cost: they stay until the story is done.
 */
function findSessions(
  { paths, env, clientHome, userId }: CleanOrder,
  stories: readonly StoryView[],
  before: number,
): CleanItem[] {
  const open = new Set(stories.filter(({ state }) => state !== 'done').map(({ id }) => id));
  // Output files of sessions on other machines of a fleet are copies.
  const folders = [findSessionFolder(env, userId), fleetFolder(paths)];
  const listsFolder = agent.tasks.findFolder({ config: clientHome });
  const lists = new Set(listFolder(clientHome, listsFolder));
  return loadSessionRecords(paths).records.flatMap((record): CleanItem[] => {
    if (stateOfSession(record) === 'running' || timeOf(record) >= before) return [];
    const { session, story } = record;
    const parsed = parseAnySession(session);
    const why = `older than clean.keepDays (${record.startedAt.slice(0, 10)})`;
    const list = parsed && formatTaskListId(parsed);
    const items: CleanItem[] = [];
    if (list !== undefined && lists.has(list) && !record.isEpic && !open.has(story)) {
      const place = join(listsFolder, list);
      items.push({ kind: 'list', name: list, why, remove: async () => removeTree(place) });
    }
    if (open.has(story) || record.isEpic) return items;
    // A record may name any file. Only a file with the name of the session, in a folder for output files, is a log.
    for (const folder of folders) {
      const log = join(folder, `${session}.jsonl`);
      if (record.outputFile === log && dirname(log) === folder && existsSync(log)) {
        items.push(toLogItem(log, why));
      }
    }
    const file = sessionRecordFile(paths, session);
    // The record comes last, because without it nobody would find the list and the log.
    items.push({
      kind: 'session',
      name: displayPath(paths.root, file),
      why,
      remove: async () => rmSync(file, { force: true }),
    });
    return items;
  });
}

const toLogItem = (log: string, why: string): CleanItem => ({
  kind: 'log',
  name: log,
  why,
  remove: async () => rmSync(log, { force: true }),
});

/** Copies of output files from other machines of a fleet whose sessions have no record here. */
function findCopies(paths: Paths, before: number): CleanItem[] {
  return listFolder(paths.root, fleetFolder(paths)).flatMap((name): CleanItem[] => {
    const session = name.replace(/\.jsonl$/, '');
    const time = session === name ? undefined : parseAnySession(session)?.timestamp;
    if (time === undefined || time >= before) return [];
    if (existsSync(sessionRecordFile(paths, session))) return [];
    return [toLogItem(join(fleetFolder(paths), name), describeAge(time))];
  });
}

const describeAge = (time: number) =>
  `older than clean.keepDays (${new Date(time).toISOString().slice(0, 10)})`;

function timeOf({ session, endedAt }: SessionRecord): number {
  const ended = endedAt === undefined ? Number.NaN : Date.parse(endedAt);
  return Number.isNaN(ended) ? (parseAnySession(session)?.timestamp ?? Infinity) : ended;
}

/** Copies of what workers put back, each in a folder with the name of its session. */
function findPutBack(paths: Paths, before: number): CleanItem[] {
  const folder = putBackFolder(paths);
  return listFolder(paths.root, folder).flatMap((name): CleanItem[] => {
    const time = parseAnySession(name)?.timestamp;
    if (time === undefined || time >= before) return [];
    const place = join(folder, name);
    const why = describeAge(time);
    return [
      {
        kind: 'put-back',
        name: displayPath(paths.root, place),
        why,
        remove: async () => removeTree(place),
      },
    ];
  });
}
