import type { ChangeStream, NumberedChange } from '@saga-ai/core/overview/live/change-stream';

const HEARTBEAT_MS = 15_000;
/** Messages that a reader may leave unread; then it is let go, and comes back where it was. */
const MAX_UNREAD = 500;

export interface EventStreams {
  open(after: number | undefined): Response;
  /** Ends all of them. */
  close(): void;
}

/** Server-sent events: each change as it comes, and to one who comes back, what was missed. */
export function createEventStreams(changes: ChangeStream): EventStreams {
  const open = new Set<() => void>();
  return {
    open: (after) => {
      let end = () => {};
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            end = connect(controller, changes, after, () => open.delete(end));
            open.add(end);
          },
          cancel: () => end(),
        },
        { highWaterMark: MAX_UNREAD },
      );
      return new Response(body, { headers: HEADERS });
    },
    close: () => {
      for (const end of [...open]) end();
    },
  };
}

const ENCODER = new TextEncoder();
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

function connect(
  controller: ReadableStreamDefaultController<Uint8Array>,
  changes: ChangeStream,
  after: number | undefined,
  onEnd: () => void,
): () => void {
  let isOver = false;
  const send = (text: string) => {
    controller.enqueue(ENCODER.encode(text));
    if ((controller.desiredSize ?? 0) <= 0) end();
  };
  const stopListening = changes.listen((change) => send(formatChange(change)));
  const heartbeat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS);
  const end = () => {
    if (isOver) return;
    isOver = true;
    stopListening();
    clearInterval(heartbeat);
    onEnd();
    closeQuietly(controller);
  };
  // A number alone is no event, but from now on the browser knows where it was.
  const missed = after === undefined ? [] : changes.since(after);
  send(`retry: 1000\nid: ${missed ? (after ?? changes.last) : changes.last}\n\n`);
  if (missed) for (const change of missed) send(formatChange(change));
  else send(`id: ${changes.last}\nevent: reset\ndata: {}\n\n`);
  return end;
}

function formatChange({ id, change }: NumberedChange): string {
  return `id: ${id}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // The reader has left already.
  }
}
