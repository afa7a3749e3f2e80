import { type FSWatcher, statSync, watch } from 'node:fs';
import { SessionRecord } from '@saga-ai/types/run/session-record';
import type { SessionSummary } from '@saga-ai/types/screens/dashboard';
import { parseSession } from '@saga-ai/types/words/names';
import type { Problem } from '@saga-ai/types/words/problem';
import { readJsonFile } from '../../files/json-file.ts';
import { listFolder } from '../../files/list-folder.ts';
import { type Paths, sessionRecordFile } from '../../project/paths.ts';
import { stateOfSession } from '../../records/session-records.ts';
import { sameValue } from './same-value.ts';

type Read = { record: SessionRecord } | { problems: Problem[] };

/**
 * The records of sessions, read when they are asked for and again when they change. The output files
 * of those that run are watched too: a log grows more often than its record.
 */
export class LiveSessions {
  readonly #paths: Paths;
  readonly #onOutput: (session: string) => void;
  /** Newest first. */
  #names: string[] = [];
  #known: ReadonlySet<string> = new Set();
  readonly #records = new Map<string, Read>();
  readonly #outputs = new Map<string, FSWatcher>();

  constructor(paths: Paths, onOutput: (session: string) => void) {
    this.#paths = paths;
    this.#onOutput = onOutput;
    this.relist();
  }

  /** After records came or went; says which. */
  relist(): string[] {
    const before = this.#known;
    const names = listFolder(this.#paths.root, this.#paths.sessions)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .filter((name) => parseSession(name) !== undefined);
    this.#names = names.sort((a, b) => this.timeOf(b) - this.timeOf(a) || (a < b ? -1 : 1));
    this.#known = new Set(names);
    const gone = [...before].filter((name) => !this.#known.has(name));
    for (const name of gone) {
      this.#records.delete(name);
      this.#unwatchOutput(name);
    }
    return [...names.filter((name) => !before.has(name)), ...gone];
  }

  /** Reads these again, or all that were ever read; says which are other than before. */
  refresh(names: Iterable<string> = [...this.#records.keys()]): string[] {
    const changed: string[] = [];
    for (const name of names) {
      const before = this.#records.get(name);
      this.#records.delete(name);
      this.find(name);
      if (!sameValue(before, this.#records.get(name))) changed.push(name);
    }
    return changed;
  }

  /** A worker that was killed writes nothing: its process is looked at. */
  findDied(): string[] {
    return [...this.#outputs.keys()].filter((name) => this.find(name)?.state !== 'running');
  }

  /** Of one story, or of all. */
  list(story?: string): string[] {
    if (story === undefined) return this.#names;
    return this.#names.filter((name) => parseSession(name)?.storyId === story);
  }

  timeOf(name: string): number {
    return parseSession(name)?.timestamp ?? 0;
  }

  find(name: string): SessionSummary | undefined {
    if (!this.#known.has(name)) return undefined;
    const read = this.#read(name);
    if (!('record' in read)) return undefined;
    const { record } = read;
    const state = stateOfSession(record);
    if (state === 'running') this.#watchOutput(record);
    else this.#unwatchOutput(name);
    return { ...record, state, outputSize: sizeOf(record.outputFile) };
  }

  /** Of records that were read and are none. */
  problems(): Problem[] {
    return [...this.#records.values()].flatMap((it) => ('problems' in it ? it.problems : []));
  }

  close(): void {
    for (const name of [...this.#outputs.keys()]) this.#unwatchOutput(name);
  }

  #read(name: string): Read {
    const known = this.#records.get(name);
    if (known) return known;
    const file = sessionRecordFile(this.#paths, name);
    const result = readJsonFile(this.#paths.root, file, SessionRecord);
    const read: Read =
      'value' in result
        ? { record: { ...result.value, session: name } }
        : { problems: result.problems };
    this.#records.set(name, read);
    return read;
  }

  #watchOutput({ session, outputFile }: SessionRecord): void {
    if (this.#outputs.has(session)) return;
    try {
      const watcher = watch(outputFile, () => this.#onOutput(session));
      watcher.on('error', () => this.#unwatchOutput(session));
      this.#outputs.set(session, watcher);
    } catch {
      // The file is gone, or not ours: its record is all there is to see.
    }
  }

  #unwatchOutput(name: string): void {
    this.#outputs.get(name)?.close();
    this.#outputs.delete(name);
  }
}

function sizeOf(file: string): number | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() ? found.size : null;
  } catch {
    // Not ours to look at: for us it is gone.
    return null;
  }
}
