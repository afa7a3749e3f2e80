import type { ChangeStream, NumberedChange } from '@saga-ai/core/overview/live/change-stream';
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';

const HEARTBEAT_MS = 15_000;
/**
 * The largest number of changes that a reader may leave unread. A reader that leaves more is disconnected and
 * reconnects with the number of the last change it read. If it then has missed more, it gets a reset.
 */
const MAX_UNREAD = 500;

export interface EventStreams {
  open(c: Context, after: number | undefined): Response;
  /** Ends all streams. */
  close(): void;
}

/** Sends each change as a server-sent event. A reader that reconnects gets the changes it missed. */
export function createEventStreams(changes: ChangeStream): EventStreams {
  const open = new Set<SSEStreamingApi>();
  return {
    open: (c, after) => {
      const response = streamSSE(c, async (stream) => {
        open.add(stream);
        try {
          await sendChanges(stream, changes, after);
        } finally {
          open.delete(stream);
        }
      });
      response.headers.set('cache-control', 'no-store');
      response.headers.set('x-accel-buffering', 'no');
      return response;
    },
    close: () => {
      for (const stream of [...open]) stream.abort();
    },
  };
}

/** Returns when the reader has left, or was disconnected. */
async function sendChanges(
  stream: SSEStreamingApi,
  changes: ChangeStream,
  after: number | undefined,
): Promise<void> {
  const missed = findMissed(changes, after);
  const unread: NumberedChange[] = [...(missed ?? [])];
  let wake = () => {};
  const stopListening = changes.listen((change) => {
    unread.push(change);
    if (unread.length > MAX_UNREAD) stream.abort();
    wake();
  });
  stream.onAbort(() => wake());
  const waitForMore = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, HEARTBEAT_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const { last } = changes;
  try {
    // A block without data is not an event, but the browser remembers its number for the next request.
    await stream.write(`retry: 1000\nid: ${missed ? (after ?? last) : last}\n\n`);
    if (!missed) await stream.writeSSE({ id: String(last), event: 'reset', data: '{}' });
    while (!stream.aborted) {
      const next = unread.shift();
      if (next) await stream.writeSSE(formatChange(next));
      else await waitForMore();
      if (!next && unread.length === 0) await stream.write(': still here\n\n');
    }
  } finally {
    stopListening();
  }
}

/** Returns undefined if the changes are no longer known, or are more than a reader may leave unread. */
function findMissed(changes: ChangeStream, after: number | undefined) {
  const missed = after === undefined ? [] : changes.since(after);
  return missed && missed.length <= MAX_UNREAD ? missed : undefined;
}

function formatChange({ id, change }: NumberedChange) {
  return { id: String(id), event: 'change', data: JSON.stringify(change) };
}
