import type { ChangeEvent } from '@saga-ai/types/screens/dashboard';
import { parseSession } from '@saga-ai/types/words/names';
import type { QueryClient } from '@tanstack/react-query';
import { askAgain } from './ask-again.ts';
import { setConnection } from './connection.ts';
import { createThrottle } from './throttle.ts';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
/** A growing log sends many changes per second. Readers do not need more updates than this. */
const PACE = 200;
/** A long list has many pages, and all of them are requested again. */
const LONG_LIST_PACE = 1500;

/**
 * Keeps the page up to date: each change names what to request again. The browser reconnects by itself and
 * sends the number of the last event. It gives up only if the server refuses; then this opens a new stream.
 */
export function followChanges(client: QueryClient): () => void {
  const again = createThrottle(
    (key) => (key === 'stories' && showsLongList(client) ? LONG_LIST_PACE : PACE),
    (key) => askAgain(client, key.split(' ')),
  );
  let source: EventSource | undefined;
  let timer: number | undefined;
  let wait = FIRST_WAIT;

  const open = () => {
    source = new EventSource('/api/events');
    source.addEventListener('open', () => {
      wait = FIRST_WAIT;
      setConnection('live');
      // Answers from before the stream was open may be outdated, and a restarted server does not know which
      // event this page saw last. So everything is requested again.
      askAgain(client);
    });
    source.addEventListener('change', (event: MessageEvent<string>) => {
      for (const key of listKeys(JSON.parse(event.data) as ChangeEvent)) again(key);
    });
    source.addEventListener('reset', () => askAgain(client));
    source.addEventListener('error', () => {
      setConnection('lost');
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = window.setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    });
  };

  open();
  return () => {
    window.clearTimeout(timer);
    source?.close();
  };
}

function showsLongList(client: QueryClient): boolean {
  const shown = client.getQueryCache().findAll({ queryKey: ['stories'], type: 'active' });
  return shown.some(({ state }) => {
    const { pages } = (state.data ?? {}) as { pages?: readonly unknown[] };
    return (pages?.length ?? 0) > 3;
  });
}

/** An epic shows its stories and a story shows its sessions, so a change also affects pages it does not name. */
function listKeys({ stories, epics, sessions, problems }: ChangeEvent): Set<string> {
  const keys = new Set<string>();
  const touchesPlan = stories.length + epics.length > 0;
  if (touchesPlan || sessions.length > 0 || problems) keys.add('home');
  if (touchesPlan || sessions.length > 0) keys.add('stories').add('epics').add('epic');
  for (const id of stories) keys.add(`story ${id}`);
  for (const id of sessions) {
    const storyId = parseSession(id)?.storyId;
    keys.add('sessions').add(`session ${id}`);
    if (storyId !== undefined) keys.add(`story ${storyId}`);
  }
  if (problems) keys.add('problems');
  return keys;
}
