import { readFileSync } from 'node:fs';
import type { Following, Trouble } from '@saga-ai/types/run/session-record';
import { type EndFacts, isEnd } from '@saga-ai/types/screens/life';
import { parseEpicSession, parseSession } from '@saga-ai/types/words/names';
import { listFolder } from '../../files/list-folder.ts';
import { isWorkerGone, type ProcessIdentity } from '../../processes/identity.ts';
import { type Paths, sessionRecordFile } from '../../project/paths.ts';
import { findDeath } from '../../records/find-death.ts';

interface Named {
  session: string;
  timestamp: number;
}

/**
 * How the newest worker of each story ended, and what the newest scheduler of each epic cannot do, by their records. A
 * record is read when it is asked for.
 */
export class LastEnds {
  readonly #paths: Paths;
  /** The newest record of each story. */
  #newest = new Map<string, Named>();
  /** The newest record of each epic. */
  #schedulers = new Map<string, Named>();
  /** What schedulers cannot start or merge, by item. Undefined until somebody asks. */
  #troubles: Map<string, Trouble> | undefined;
  /** The ends of sessions that are over. Their records change only when their work is discarded or restored. */
  readonly #ended = new Map<string, EndFacts>();

  constructor(paths: Paths) {
    this.#paths = paths;
    this.relist();
  }

  /**
   * Lists the records again. Reads the records of the given sessions again, or all records if none are given. Returns
   * the items of which schedulers say something else now.
   */
  relist(changed?: Iterable<string>): string[] {
    const newest = new Map<string, Named>();
    const schedulers = new Map<string, Named>();
    for (const name of listFolder(this.#paths.root, this.#paths.sessions)) {
      if (!name.endsWith('.json')) continue;
      const session = name.slice(0, -'.json'.length);
      const ofStory = parseSession(session);
      const parsed = ofStory ?? parseEpicSession(session);
      if (!parsed) continue;
      const { storyId, timestamp } = parsed;
      const list = ofStory ? newest : schedulers;
      const known = list.get(storyId);
      if (!known || known.timestamp < timestamp) list.set(storyId, { session, timestamp });
    }
    this.#newest = newest;
    this.#schedulers = schedulers;
    if (changed === undefined) this.#ended.clear();
    else for (const session of changed) this.#ended.delete(session);
    const before = this.#troubles;
    this.#troubles = undefined;
    if (!before) return [];
    const after = this.#loadTroubles();
    const items = new Set([...before.keys(), ...after.keys()]);
    const textOf = (all: Map<string, Trouble>, id: string) => JSON.stringify(all.get(id));
    return [...items].filter((id) => textOf(before, id) !== textOf(after, id));
  }

  /** Returns why the newest scheduler around an item leaves the item alone. */
  findTrouble(item: string): Trouble | undefined {
    return this.#loadTroubles().get(item);
  }

  #loadTroubles(): Map<string, Trouble> {
    if (this.#troubles) return this.#troubles;
    const troubles = new Map<string, Trouble>();
    for (const { session } of this.#schedulers.values()) {
      const record = this.#read(session);
      if (!record || record.discardedAt !== undefined) continue;
      for (const it of Array.isArray(record.troubles) ? record.troubles : []) {
        if (isTrouble(it)) troubles.set(it.item, it);
      }
    }
    this.#troubles = troubles;
    return troubles;
  }

  /** Returns undefined if the story never had a worker, or if this machine cannot know how the worker ended. */
  find(storyId: string): EndFacts | undefined {
    const { session } = this.#newest.get(storyId) ?? {};
    if (session === undefined) return undefined;
    const known = this.#ended.get(session);
    if (known) return known;
    const record = this.#read(session);
    if (!record || record.discardedAt !== undefined) return undefined;
    if (record.endedAt === undefined) {
      return isWorkerGone(record) ? this.#describeDeath(session) : undefined;
    }
    const end = describeEnd(record);
    if (end) this.#ended.set(session, end);
    return end;
  }

  /** Returns the pull request that a living worker only watches. */
  findFollowing(storyId: string): Following | undefined {
    const { session } = this.#newest.get(storyId) ?? {};
    if (session === undefined || this.#ended.has(session)) return undefined;
    const record = this.#read(session);
    if (!record || record.endedAt !== undefined || isWorkerGone(record)) return undefined;
    const { number, checks } = record.following ?? {};
    const isSound = Number.isSafeInteger(number) && Number.isSafeInteger(checks);
    return isSound ? ({ number, checks } as Following) : undefined;
  }

  #describeDeath(session: string): EndFacts {
    const at = findDeath(this.#paths, session);
    return { outcome: 'died', reason: '', at };
  }

  /** Reads a record without its schema, which is slow to load. `saga sessions` reports records that are broken. */
  #read(session: string): RecordFields | undefined {
    try {
      const text = readFileSync(sessionRecordFile(this.#paths, session), 'utf8');
      const record = JSON.parse(text) as RecordFields | null;
      return typeof record?.pid === 'number' && typeof record.host === 'string'
        ? record
        : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The fields of a record that are read. They are unchecked. */
interface RecordFields extends ProcessIdentity {
  machine?: unknown;
  isLost?: unknown;
  endedAt?: unknown;
  outcome?: unknown;
  reason?: unknown;
  hint?: unknown;
  discardedAt?: unknown;
  troubles?: unknown;
  following?: { number?: unknown; checks?: unknown } | null;
  cause?: { kind?: unknown; code?: unknown; of?: unknown } | null;
}

function isTrouble(it: Partial<Record<keyof Trouble, unknown>> | null): it is Trouble {
  const { item, reason, remedy = '', next, since, state, tips } = it ?? {};
  const texts = [item, reason, remedy, next, since, state];
  return texts.every((text) => typeof text === 'string') && Array.isArray(tips);
}

function describeEnd(record: RecordFields): EndFacts | undefined {
  const { outcome, reason, hint, cause, endedAt } = record;
  if (!isEnd(outcome)) return undefined;
  const facts = {
    code: cause?.kind === 'error' ? cause.code : undefined,
    limit: cause?.kind === 'limit' ? cause.of : undefined,
    hint,
    at: endedAt,
  };
  const texts = Object.entries(facts).filter(([, value]) => typeof value === 'string');
  return {
    outcome,
    reason: typeof reason === 'string' ? reason : '',
    ...Object.fromEntries(texts),
  };
}
