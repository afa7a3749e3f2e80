import type { ChangeEvent } from '@saga-ai/types/screens/dashboard';
import type { Tell } from './stream-signal.ts';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

/**
 * Reads the stream of changes, in a page or in a worker. The browser reconnects by itself and sends the number
 * of the last event. It gives up only if the server refuses; then this opens a new stream.
 */
export function openStream(tell: Tell): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT;

  const open = () => {
    source = new EventSource('/api/events');
    source.addEventListener('open', () => {
      wait = FIRST_WAIT;
      tell({ kind: 'open' });
    });
    source.addEventListener('change', (event: MessageEvent<string>) =>
      tell({ kind: 'change', event: JSON.parse(event.data) as ChangeEvent }),
    );
    source.addEventListener('reset', () => tell({ kind: 'reset' }));
    source.addEventListener('error', () => {
      tell({ kind: 'lost' });
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    });
  };

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
