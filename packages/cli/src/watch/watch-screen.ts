import { basename } from 'node:path';
import { messageOf } from '@saga-ai/core/errors';
import { findLastWrite } from '@saga-ai/core/files/change-time';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { SessionSummary } from '@saga-ai/types/screens/live';
import { writeLoosely } from '../output/live-block.ts';
import { formatLogLines } from '../output/log-line.ts';
import type { Output } from '../output/output.ts';
import { answerBlocker, stopItem, tellRun } from './act.ts';
import { FullScreen } from './full-screen.ts';
import { LogTail } from './log-tail.ts';
import type { Key } from './read-keys.ts';
import { listWatchRows, type WatchRow } from './watch-rows.ts';
import { formatLog, formatWatch, type Question } from './watch-view.ts';

/** How often the screen is drawn again, because it shows ages in seconds. */
const TICK_MS = 1000;
/** The shortest time between two drawings. Workers write faster than a person reads. */
const DRAW_EVERY_MS = 500;

/** How many rows each key moves, if a page has `page` lines. */
const MOVES: Readonly<Record<string, (page: number) => number>> = {
  up: () => -1,
  k: () => -1,
  down: () => 1,
  j: () => 1,
  'page-up': (page) => -page,
  'page-down': (page) => page,
  ' ': (page) => page,
  first: () => Number.NEGATIVE_INFINITY,
  last: () => Number.POSITIVE_INFINITY,
};

export interface WatchOptions {
  /** Ring when something begins to need a person. */
  bell: boolean;
  /** The name of the person, which a run is told with each message. */
  person: string;
  stop: AbortSignal;
}

/** The screen of `saga watch`: what it shows, and what its keys do. */
export class WatchScreen {
  readonly #project: LiveProject;
  readonly #out: Output;
  readonly #options: WatchOptions;
  readonly #screen: FullScreen;
  readonly #over = Promise.withResolvers<void>();
  #rows: WatchRow[] = [];
  /** The id of the selected item, so that the selection stays on the item when the list changes. */
  #selectedId: string | undefined;
  #question: Question | undefined;
  #message = '';
  #log: { row: WatchRow; tail: LogTail; back: number } | undefined;
  #needy: ReadonlySet<string> | undefined;
  /** The output files of sessions, by their names. */
  readonly #outputs = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #isChanged = true;

  constructor(project: LiveProject, out: Output, options: WatchOptions) {
    this.#project = project;
    this.#out = out;
    this.#options = options;
    this.#screen = new FullScreen(
      (keys) => this.#readKeys(keys),
      () => this.#draw(),
    );
  }

  /** Shows the screen until the person leaves it. */
  async show(): Promise<void> {
    using _screen = this.#screen;
    const unlisten = this.#project.changes.listen(() => {
      this.#isChanged = true;
      this.#drawSoon();
    });
    const tick = setInterval(() => this.#drawSoon(), TICK_MS);
    const { stop } = this.#options;
    stop.addEventListener('abort', () => this.#over.resolve());
    if (stop.aborted) this.#over.resolve();
    this.#draw();
    try {
      await this.#over.promise;
    } finally {
      unlisten();
      clearInterval(tick);
      clearTimeout(this.#timer);
    }
  }

  #drawSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, DRAW_EVERY_MS);
  }

  #draw(): void {
    try {
      this.#look();
      const { columns, rows } = this.#screen.size;
      const look = { columns, rows, paint: this.#out.paint };
      const screen = {
        project: basename(this.#project.paths.root),
        rows: this.#rows,
        selected: this.#selected,
        question: this.#question,
        message: this.#message,
        now: Date.now(),
      };
      if (this.#log) {
        const { row, back } = this.#log;
        const lines = this.#formatEvents(columns, rows + back);
        this.#screen.draw(formatLog(screen, row, lines, back, look));
      } else this.#screen.draw(formatWatch(screen, look));
    } catch (error) {
      this.#over.reject(error);
    }
  }

  /** Reads the rows again if something changed. Reads the times of the last signs of life every time. */
  #look(): void {
    const { overview } = this.#project;
    if (this.#isChanged || this.#rows.some((it) => it.isRunning)) {
      this.#isChanged = false;
      const { stories, epics } = overview;
      this.#rows = listWatchRows({
        ...{ stories, epics },
        schedulerOf: (id) => this.#findSession(id),
        signOf: (session) => this.#findSign(session),
      });
    }
    this.#ring();
    this.#log?.tail.readOn();
  }

  #findSession(id: string): SessionSummary | undefined {
    const [name] = this.#project.sessions.list(id);
    return name === undefined ? undefined : this.#project.sessions.find(name);
  }

  /**
   * Returns when the output file last changed. Remembers the path, because finding the record costs more than a look at
   * the file, and a session keeps its file.
   */
  #findSign(session: string): number | undefined {
    const file = this.#outputs.get(session) ?? this.#project.sessions.find(session)?.outputFile;
    if (file === undefined) return undefined;
    this.#outputs.set(session, file);
    return findLastWrite(file);
  }

  /** Rings once for each item that begins to need a person while this screen is open. */
  #ring(): void {
    const needy = new Set(this.#rows.filter((it) => it.tone === 'needs-you').map((it) => it.id));
    const isNew = this.#needy && [...needy].some((id) => !this.#needy?.has(id));
    if (isNew && this.#options.bell) writeLoosely('\u0007');
    this.#needy = needy;
  }

  /** Formats only as many events as the screen has lines, because each event takes at least one line. */
  #formatEvents(columns: number, count: number): string[] {
    const { tail, row } = this.#log ?? {};
    const out = { ...this.#out, width: columns };
    const lines: string[][] = [];
    let have = 0;
    for (const event of (tail?.events ?? []).toReversed()) {
      if (have >= count) break;
      const worded = formatLogLines(event, row?.id ?? '', out).flatMap((it) => it.split('\n'));
      have += worded.length;
      lines.unshift(worded);
    }
    return lines.flat();
  }

  get #selected(): number {
    const found = this.#rows.findIndex((it) => it.id === this.#selectedId);
    return Math.max(0, found);
  }

  get #row(): WatchRow | undefined {
    return this.#log?.row ?? this.#rows[this.#selected];
  }

  #readKeys(keys: readonly Key[]): void {
    for (const key of keys) {
      this.#message = '';
      if (key.name === 'interrupt') this.#over.resolve();
      else if (key.name === 'suspend') this.#screen.suspend();
      else if (key.name === 'redraw') this.#screen.clear();
      else if (this.#question) this.#readAnswer(this.#question, key);
      else this.#readCommand(key);
    }
    this.#draw();
  }

  #readCommand(key: Key): void {
    const name = key.name === 'text' ? key.text : key.name;
    const page = Math.max(1, this.#screen.size.rows - 8);
    const steps = MOVES[name]?.(page);
    if (steps !== undefined) this.#move(steps);
    else if (name === 'enter') this.#openLog();
    else if (name === 'q' && !this.#log) this.#over.resolve();
    else if (name === 'q' || name === 'escape') this.#log = undefined;
    else this.#ask(name);
  }

  #move(by: number): void {
    if (this.#log) {
      const most = this.#log.tail.events.length * 2;
      this.#log.back = Math.max(0, Math.min(most, this.#log.back - by));
      return;
    }
    const next = Math.max(0, Math.min(this.#rows.length - 1, this.#selected + by));
    this.#selectedId = this.#rows[next]?.id;
  }

  #openLog(): void {
    const row = this.#row;
    if (!row || this.#log) return;
    const session = this.#findSession(row.id);
    if (!session) {
      this.#message = `${row.id} was never run here, so it has no log.`;
      return;
    }
    try {
      this.#log = { row, tail: new LogTail(session.outputFile), back: 0 };
      this.#selectedId = row.id;
    } catch (error) {
      this.#message = messageOf(error);
    }
  }

  #ask(key: string): void {
    const row = this.#rows.find((it) => it.id === this.#row?.id);
    if (!row) return;
    const { id } = row;
    if (key === 's' && row.isRunning) this.#question = { kind: 'stop', id };
    else if (key === 's') this.#message = `${id} is not running.`;
    else if (key === 't' && row.isRunning && row.kind === 'story') {
      this.#question = { kind: 'tell', id, about: '', text: '' };
    } else if (key === 'a' && row.blocker !== undefined) {
      this.#question = { kind: 'answer', id, about: row.blocker, text: '' };
    } else if (key === 'a') this.#message = `${id} asks nothing.`;
  }

  #readAnswer(question: Question, key: Key): void {
    if (key.name === 'escape') {
      this.#question = undefined;
      return;
    }
    if (question.kind === 'stop') {
      this.#question = undefined;
      const isYes = key.name === 'text' && /^y$/i.test(key.text);
      if (isYes) this.#act(`stopping ${question.id} …`, stopItem(this.#paths, question.id));
      return;
    }
    if (key.name === 'backspace') question.text = [...question.text].slice(0, -1).join('');
    else if (key.name === 'clear') question.text = '';
    else if (key.name === 'text') question.text += key.text;
    else if (key.name === 'enter') this.#send(question);
  }

  #send({ kind, id, about, text }: Exclude<Question, { kind: 'stop' }>): void {
    this.#question = undefined;
    if (text.trim() === '') this.#message = 'Nothing was sent.';
    else if (kind === 'tell') {
      this.#act('telling …', tellRun(this.#paths, id, this.#options.person, text));
    } else this.#act('answering …', answerBlocker(this.#paths, id, about, text));
  }

  #act(meanwhile: string, result: Promise<string>): void {
    this.#message = meanwhile;
    void result.then((message) => {
      this.#message = message;
      this.#isChanged = true;
      this.#draw();
    });
  }

  get #paths() {
    return this.#project.paths;
  }
}
