import type { NotifySettings } from '@saga-ai/types/notify-settings';
import type { Emit, RunEvent } from '@saga-ai/types/run/event';
import type { News } from '@saga-ai/types/run/news';
import { maskDeep, type Secret } from '@saga-ai/types/words/mask-secrets';
import type { Paths } from '../project/paths.ts';
import { deliver, listChannels, type NewsContext } from './channels.ts';
import { type FoundNews, NewsFinder, type SessionEnd } from './find-news.ts';
import { claimNews, forgetNews, saveDeliveries } from './told-records.ts';

export interface NotifierOptions extends Omit<NewsContext, 'root'> {
  paths: Paths;
  settings: NotifySettings;
  item: string;
  kind: News['kind'];
  session: string;
  secrets: readonly Secret[];
  emit: Emit;
}

/**
 * Tells a person what happens in one session, as the settings say. The work never waits for it: news are sent
 * beside it, each within the time of the settings. Only the end of the session waits for what is still being sent.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #finder: NewsFinder;
  /** The news that this session told, in case the disk cannot be written. */
  readonly #told = new Map<string, string>();
  readonly #sending = new Set<Promise<void>>();

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#finder = new NewsFinder(options.item, options.kind, options.session);
  }

  read(event: RunEvent): void {
    if (!this.#isWanted) return;
    const { news, stale } = this.#finder.read(event);
    for (const id of stale) this.#forget(id);
    for (const it of news) this.#tell(it);
  }

  /** Tells how the session ends, and waits for everything that is still being sent. */
  async end(end: SessionEnd): Promise<void> {
    const news = this.#isWanted ? this.#finder.readEnd(end) : undefined;
    if (news) this.#tell(news);
    await Promise.all(this.#sending);
  }

  get #isWanted(): boolean {
    return listChannels(this.#options.settings).length > 0;
  }

  #tell(news: FoundNews): void {
    const { settings, paths, secrets } = this.#options;
    const found = maskDeep(news, secrets);
    if (!settings.on.includes(found.on) || this.#told.get(found.id) === found.key) return;
    this.#told.set(found.id, found.key);
    const time = new Date().toISOString();
    try {
      if (!claimNews(paths, found, time)) return;
    } catch {
      // If the disk is full, the person is told all the same. This session remembers in memory that it told the news.
    }
    const sending = this.#send(found, time).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #send(found: FoundNews, time: string): Promise<void> {
    const { paths, settings, secrets, emit, env, lifeline, terminal } = this.#options;
    const { key: _, ...fields } = found;
    const news: News = { version: 1, ...fields, project: paths.root, time };
    const around = { root: paths.root, env, lifeline, terminal: terminal || undefined };
    const deliveries = maskDeep(await deliver(news, settings, around), secrets);
    for (const { by, failure } of deliveries) {
      const told = { on: found.on, item: found.id, by };
      if (failure === undefined) emit('notify:sent', told);
      else emit('notify:failed', { ...told, reason: failure });
    }
    try {
      saveDeliveries(paths, found, deliveries);
    } catch {
      // The events of the session contain this too.
    }
  }

  #forget(id: string): void {
    this.#told.delete(id);
    try {
      forgetNews(this.#options.paths, id);
    } catch {
      // The old record stays. News that differ from it are told all the same.
    }
  }
}
