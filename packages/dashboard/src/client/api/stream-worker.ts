import { openStream } from './open-stream.ts';
import type { StreamSignal } from './stream-signal.ts';

/**
 * The one stream for all tabs of a browser. A browser opens at most six connections to a server, so with a stream
 * for each tab the seventh tab would wait for ever, and no tab could send a request. The browser ends this worker
 * with the last tab.
 */
const BEAT_MS = 10_000;

const tabs = new Set<MessagePort>();
let last: StreamSignal | undefined;

const tell = (signal: StreamSignal) => {
  for (const tab of tabs) tab.postMessage(signal);
};

openStream((signal) => {
  if (signal.kind === 'open' || signal.kind === 'lost') last = signal;
  tell(signal);
});
setInterval(() => tell({ kind: 'beat' }), BEAT_MS);

addEventListener('connect', (event) => {
  const [tab] = (event as MessageEvent).ports;
  if (!tab) return;
  tabs.add(tab);
  // Some browsers do not tell when a tab is closed. A message to a closed tab does nothing.
  tab.addEventListener('close', () => tabs.delete(tab));
  tab.start();
  if (last) tab.postMessage(last);
});
