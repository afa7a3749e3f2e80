import type { Database } from './database.ts';

/** The only channel. All topics share it, because each listener needs a connection of its own. */
export const CHANNEL = 'saga_fleet';
/** How often waiting callers look again, because a notification may get lost while the connection is away. */
const LOOK_AGAIN_MS = 3000;

/** The statement that rings. Its first value is the topic. */
export const RING = `select pg_notify('${CHANNEL}', $1)`;

/** Wakes all callers that wait for a topic, over one connection, which is opened when the first one waits. */
export class Bell {
  readonly #database: Database;
  readonly #waiting = new Set<{ isFor(topic: string): boolean; wake(): void }>();
  #handle: Promise<{ close(): Promise<void> } | undefined> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  async listen(isFor: (topic: string) => boolean, wake: () => void): Promise<AsyncDisposable> {
    const entry = { isFor, wake };
    this.#waiting.add(entry);
    this.#timer ??= setInterval(() => this.#wakeAll(), LOOK_AGAIN_MS);
    this.#handle ??= this.#open();
    await this.#handle;
    return {
      [Symbol.asyncDispose]: async () => {
        this.#waiting.delete(entry);
        if (this.#waiting.size === 0) await this.close();
      },
    };
  }

  async ring(topic: string): Promise<void> {
    await this.#database.query(RING, [topic]);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const handle = this.#handle;
    this.#handle = undefined;
    await (await handle)?.close();
  }

  /** If the database offers no notifications, as behind some pools, every caller that waits polls. */
  async #open(): Promise<{ close(): Promise<void> } | undefined> {
    try {
      return await this.#database.ask(async (boss) =>
        boss.getDb().listen?.(
          CHANNEL,
          (topic) => {
            for (const it of [...this.#waiting]) if (it.isFor(topic)) it.wake();
          },
          () => this.#wakeAll(),
        ),
      );
    } catch {
      return undefined;
    }
  }

  #wakeAll(): void {
    for (const { wake } of [...this.#waiting]) wake();
  }
}
