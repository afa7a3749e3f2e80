import type { Cause } from '@saga-ai/types/run/cause';
import type { RunEvent } from '@saga-ai/types/run/event';
import type { News } from '@saga-ai/types/run/news';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import { adviseAfter } from '@saga-ai/types/words/advise-after';

/** News before the place and the time are added. */
export interface FoundNews
  extends Pick<News, 'on' | 'kind' | 'id' | 'title' | 'text' | 'next' | 'session'> {
  /** The same news has the same key, also after a restart of the worker. */
  key: string;
}

export interface SessionEnd {
  kind: OutcomeKind;
  cause: Cause;
  reason: string;
}

/** What an event means for the person: news to tell, and items whose earlier news no longer count. */
export interface EventNews {
  news: FoundNews[];
  /** Work on these items went on, so their next news is new, even if its words are the same. */
  stale: string[];
}

const NOTHING: EventNews = { news: [], stale: [] };

/** Finds in the events of one session what a person wants to be told of. */
export class NewsFinder {
  readonly #item: string;
  readonly #kind: News['kind'];
  readonly #session: string;
  #isUnderWay = false;
  /** The commit that the last gate looked at. */
  #head = '';
  /** The session that the scheduler started for a story. */
  readonly #sessions = new Map<string, string>();

  constructor(item: string, kind: News['kind'], session: string) {
    this.#item = item;
    this.#kind = kind;
    this.#session = session;
  }

  read(event: RunEvent): EventNews {
    switch (event.type) {
      // If a worker ends before this event, saga run reports that at once to the person who started it.
      case 'worktree:start':
      case 'epic:start':
        this.#isUnderWay = true;
        return NOTHING;
      case 'run:start':
        return { news: [], stale: [this.#item] };
      case 'gate:passed':
      case 'gate:failed':
        this.#head = event.head;
        return NOTHING;
      case 'epic:started':
        this.#sessions.set(event.story, event.session);
        return { news: [], stale: [this.#item] };
      case 'follow:start': {
        const text = `its gate passed; a worker watches #${event.number}`;
        const next = `saga diff ${this.#item}`;
        const news = this.#build('in-review', this.#item, 'is in review', text, next, this.#head);
        return { news: [news], stale: [] };
      }
      case 'answer:waiting':
        return { news: [this.#buildQuestion(event.titles ?? [event.reason])], stale: [] };
      default:
        return { news: this.#readEpic(event), stale: [] };
    }
  }

  /** Returns the news of the session's end, or undefined if the person need not be told. */
  readEnd({ kind, cause, reason }: SessionEnd): FoundNews | undefined {
    if (!this.#isUnderWay || kind === 'stopped') return undefined;
    const id = this.#item;
    const next = findCommand({ kind, cause }, id);
    if (kind === 'done' && this.#kind === 'epic') {
      const key = `epic-done:${JSON.stringify(cause)}`;
      return this.#build('epic-done', id, 'is done', reason, `saga show ${id}`, key);
    }
    if (kind === 'done') {
      return this.#build('in-review', id, 'is in review', reason, `saga show ${id}`, this.#head);
    }
    // A worker that waited for an answer has already told the person of the blocker.
    if (cause.kind === 'blocker') return this.#buildQuestion(cause.titles);
    if (kind === 'needs-you') {
      const key = `${JSON.stringify(cause)}:${this.#head}`;
      return this.#build('needs-you', id, 'needs you', reason, next, key);
    }
    const title = kind === 'limit' ? 'stopped at a limit' : 'failed';
    return this.#build('failed', id, title, reason, next, this.#session);
  }

  #buildQuestion(titles: readonly string[]): FoundNews {
    const id = this.#item;
    const text = `open blocker: ${titles.join(' · ')}`;
    // The key is made of the titles themselves, so that the words can change and a person is still told once.
    const key = JSON.stringify(titles);
    return this.#build('needs-you', id, 'needs you', text, `saga resolve ${id}`, key);
  }

  #readEpic(event: RunEvent): FoundNews[] {
    switch (event.type) {
      case 'epic:merged': {
        const { story, into, commit } = event;
        const text = `merged into ${into}`;
        return [this.#build('done', story, 'is done', text, `saga show ${story}`, commit)];
      }
      case 'epic:not-merged': {
        const { story, into, why, detail, isTold } = event;
        // No person is needed: a run is told, or the scheduler tries again by itself.
        if (isTold || why === 'moved') return [];
        const text = `cannot be merged into ${into}: ${detail}`;
        return [this.#build('needs-you', story, 'needs you', text, `saga show ${story}`, text)];
      }
      case 'epic:not-started': {
        const { story, reason } = event;
        const text = `cannot be started: ${reason}`;
        return [this.#build('needs-you', story, 'needs you', text, `saga run ${story}`, text)];
      }
      case 'epic:ended': {
        const { story, kind, reason } = event;
        const session = this.#sessions.get(story);
        // A worker that ended by itself has told this news under the same key. A killed worker could not.
        if (kind !== 'error' || session === undefined) return [];
        return [this.#build('failed', story, 'failed', reason, `saga run ${story}`, session)];
      }
      default:
        return [];
    }
  }

  #build(
    on: News['on'],
    id: string,
    what: string,
    why: string,
    next: string,
    key: string,
  ): FoundNews {
    const isOwn = id === this.#item;
    return {
      on,
      kind: isOwn ? this.#kind : 'story',
      id,
      title: `${id} ${what}`,
      text: `${id} ${what}: ${why}`,
      next,
      session: isOwn ? this.#session : (this.#sessions.get(id) ?? null),
      key: `${on}:${key}`,
    };
  }
}

/** The command to begin with. `saga show` prints the hint of an error, which is a text for people. */
function findCommand(end: Pick<SessionEnd, 'kind' | 'cause'>, id: string): string {
  const { cause } = end;
  if (cause.kind === 'stuck') return 'saga inbox';
  if (cause.kind === 'error' && cause.code === 'credential-refused') return 'saga doctor';
  const [advice] = adviseAfter(end, id);
  return advice && 'steps' in advice ? advice.steps[0] : `saga show ${id}`;
}
