import type { ChangeEvent } from '@saga-ai/types/screens/dashboard';
import { parseSession } from '@saga-ai/types/words/names';
import type { QueryClient } from '@tanstack/react-query';
import { askAgain } from './ask-again.ts';
import { setConnection } from './connection.ts';
import { shareStream } from './share-stream.ts';
import { createThrottle } from './throttle.ts';
import { checkToken } from './token.ts';

/** A growing log sends many changes per second. Readers do not need more updates than this. */
const PACE = 100;
/** The pace of an epic's answer, which contains all its stories. */
const EPIC_PACE = 250;
/** The pace of a run's answer, which contains all stories of the epic and is computed anew each time. */
const RUN_PACE = 500;
/**
 * The delay of a run's answer, because a step of a worker changes its output file and, shortly afterwards, its record.
 */
const RUN_DELAY = 120;
/** A long list has many pages, and all of them are requested again. */
const LONG_LIST_PACE = 1500;
/** A chart of hours does not change visibly more often. */
const HISTORY_PACE = 2000;
/** The pace of the home page's answer on other pages, which show only a few of its counts. */
const ELSEWHERE_PACE = 2000;
/** The pace of a review, for which git is asked several times. */
const REVIEW_PACE = 1500;
/** The pace of a hidden tab, at which nobody looks. It is updated as soon as it is shown. */
const HIDDEN_PACE = 3000;

/** Keeps the page up to date: each change names what to request again. */
export function followChanges(client: QueryClient): () => void {
  const paceOf = (key: string) => {
    if (document.hidden) return HIDDEN_PACE;
    if (key === 'history') return HISTORY_PACE;
    if (key === 'epic' || key === 'epics') return EPIC_PACE;
    if (key === 'epic-run') return RUN_PACE;
    if (key.startsWith('review ')) return REVIEW_PACE;
    if (key === 'home' && window.location.pathname !== '/') return ELSEWHERE_PACE;
    return key === 'stories' && showsLongList(client) ? LONG_LIST_PACE : PACE;
  };
  const delayOf = (key: string) => (key === 'epic-run' ? RUN_DELAY : 0);
  const again = createThrottle(paceOf, (key) => askAgain(client, key.split(' ')), delayOf);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) again.flush();
  });
  return shareStream((signal) => {
    switch (signal.kind) {
      case 'open':
        setConnection('live');
        // Answers from before the stream was open may be outdated, and a restarted server does not know which
        // event this page saw last. So everything is requested again.
        askAgain(client);
        void checkToken();
        break;
      case 'change':
        for (const key of listKeys(signal.event)) again.call(key);
        break;
      case 'reset':
        askAgain(client);
        break;
      case 'lost':
        setConnection('lost');
        break;
      case 'beat':
        break;
    }
  });
}

function showsLongList(client: QueryClient): boolean {
  const shown = client.getQueryCache().findAll({ queryKey: ['stories'], type: 'active' });
  return shown.some(({ state }) => {
    const { pages } = (state.data ?? {}) as { pages?: readonly unknown[] };
    return (pages?.length ?? 0) > 3;
  });
}

/** An epic shows its stories and a story shows its sessions, so a change also affects pages it does not name. */
function listKeys({ stories, epics, sessions, problems, drafts }: ChangeEvent): Set<string> {
  const keys = new Set<string>();
  const touchesPlan = stories.length + epics.length > 0;
  if (touchesPlan || sessions.length > 0 || problems || drafts) keys.add('home');
  if (touchesPlan || sessions.length > 0) {
    keys.add('stories').add('epics').add('epic').add('epic-run');
  }
  if (touchesPlan) keys.add('history');
  for (const id of stories) keys.add(`story ${id}`);
  for (const id of [...stories, ...epics]) keys.add(`review ${id}`);
  for (const id of sessions) {
    const storyId = parseSession(id)?.storyId;
    keys.add('sessions').add(`session ${id}`);
    if (storyId !== undefined) keys.add(`story ${storyId}`);
  }
  if (problems) keys.add('problems');
  return keys;
}
