import { type FSWatcher, statSync, watch } from 'node:fs';
import { SessionRecord } from '@saga-ai/types/run/session-record';
import type { SessionSummary } from '@saga-ai/types/screens/live';
import { parseAnySession } from '@saga-ai/types/words/names';
import type { Problem } from '@saga-ai/types/words/problem';
import { readJsonFile } from '../../files/json-file.ts';
import { listFolder } from '../../files/list-folder.ts';
import { type Paths, sessionRecordFile } from '../../project/paths.ts';
import { stateOfSession } from '../../records/session-records.ts';
import { sameValue } from './same-value.ts';

type Read = { record: SessionRecord } | { problems: Problem[] };

/** The output file of a running session. */
interface Output {
  file: string;
  /** Undefined if the system cannot watch the file; then its size is polled. */
  watcher: FSWatcher | undefined;
  size: number | null;
}

/**
 * The records of sessions, read on demand and again when they change. The output files of running
 * sessions are watched too, because a log grows more often than its record changes.
 */
export class LiveSessions {
  readonly #paths: Paths;
  readonly #onOutput: (session: string) => void;
  /** The names of all sessions, newest first. */
  #names: string[] = [];
  #known: ReadonlySet<string> = new Set();
  readonly #records = new Map<string, Read>();
  readonly #outputs = new Map<string, Output>();
  /** Sessions that were found to be over, and that `findDied` has not returned yet. */
  readonly #over = new Set<string>();

  constructor(paths: Paths, onOutput: (session: string) => void) {
    this.#paths = paths;
    this.#onOutput = onOutput;
    this.relist();
  }

  /** Lists the records again. Returns the names of new and removed ones. */
  relist(): string[] {
    const before = this.#known;
    const names = listFolder(this.#paths.root, this.#paths.sessions)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .filter((name) => parseAnySession(name) !== undefined);
    this.#names = names.sort((a, b) => this.timeOf(b) - this.timeOf(a) || (a < b ? -1 : 1));
    this.#known = new Set(names);
    const gone = [...before].filter((name) => !this.#known.has(name));
    for (const name of gone) {
      this.#records.delete(name);
      this.#unwatchOutput(name);
    }
    return [...names.filter((name) => !before.has(name)), ...gone];
  }

  /** Reads these records again, or all that were read before. Returns those that changed. */
  refresh(names: Iterable<string> = [...this.#records.keys()]): string[] {
    const changed: string[] = [];
    for (const name of names) {
      const before = this.#records.get(name);
      this.#records.delete(name);
      this.find(name);
      if (sameValue(before, this.#records.get(name))) continue;
      changed.push(name);
      this.#over.delete(name);
    }
    return changed;
  }

  /** Finds sessions whose worker was killed, by their process: a killed worker writes nothing. */
  findDied(): string[] {
    for (const name of [...this.#outputs.keys()]) this.find(name);
    const died = [...this.#over];
    this.#over.clear();
    return died;
  }

  /** Returns the sessions whose output file is not watched and grew since the last call. */
  findGrown(): string[] {
    const grown: string[] = [];
    for (const [name, output] of this.#outputs) {
      if (output.watcher) continue;
      const size = sizeOf(output.file);
      if (size !== output.size) grown.push(name);
      output.size = size;
    }
    return grown;
  }

  /** Lists the sessions of one story, the schedulers of one epic, or all. */
  list(story?: string): string[] {
    if (story === undefined) return this.#names;
    return this.#names.filter((name) => parseAnySession(name)?.storyId === story);
  }

  timeOf(name: string): number {
    return parseAnySession(name)?.timestamp ?? 0;
  }

  find(name: string): SessionSummary | undefined {
    if (!this.#known.has(name)) return undefined;
    let read = this.#read(name);
    // A worker that ended normally wrote its end before it exited; that may not have been read yet.
    if ('record' in read && stateOfSession(read.record) === 'died') read = this.#readAgain(name);
    if (!('record' in read)) return undefined;
    const { record } = read;
    const state = stateOfSession(record);
    if (state === 'running') this.#watchOutput(record);
    else if (this.#outputs.has(name)) {
      // Any caller may notice first that the worker was killed. findDied must still return the session once.
      this.#over.add(name);
      this.#unwatchOutput(name);
    }
    return { ...record, state, outputSize: sizeOf(record.outputFile) };
  }

  /** Lists the problems of the records that were read. */
  problems(): Problem[] {
    return [...this.#records.values()].flatMap((it) => ('problems' in it ? it.problems : []));
  }

  close(): void {
    for (const name of [...this.#outputs.keys()]) this.#unwatchOutput(name);
  }

  #read(name: string): Read {
    return this.#records.get(name) ?? this.#readAgain(name);
  }

  #readAgain(name: string): Read {
    const file = sessionRecordFile(this.#paths, name);
    const result = readJsonFile(this.#paths.root, file, SessionRecord);
    const read: Read =
      'value' in result
        ? { record: { ...result.value, session: name } }
        : { problems: result.problems };
    this.#records.set(name, read);
    return read;
  }

  #watchOutput({ session, outputFile: file }: SessionRecord): void {
    if (this.#outputs.has(session)) return;
    const output: Output = { file, watcher: undefined, size: sizeOf(file) };
    this.#outputs.set(session, output);
    try {
      output.watcher = watch(file, () => this.#onOutput(session));
      output.watcher.on('error', () => {
        output.watcher?.close();
        output.watcher = undefined;
      });
    } catch {
      // The file is gone or may not be read, or the system has no free watches.
    }
  }

  #unwatchOutput(name: string): void {
    this.#outputs.get(name)?.watcher?.close();
    this.#outputs.delete(name);
  }
}

function sizeOf(file: string): number | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() ? found.size : null;
  } catch {
    // A file that may not be read counts as gone.
    return null;
  }
}
