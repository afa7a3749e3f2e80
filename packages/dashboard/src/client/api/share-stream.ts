import { openStream } from './open-stream.ts';
import type { StreamSignal, Tell } from './stream-signal.ts';

/** The shared stream sends a sign of life every ten seconds. After this time without one, it counts as dead. */
const SILENT_MS = 35_000;

/**
 * Reads the stream that all tabs share. If the browser cannot share one, or the shared one dies, this tab reads a
 * stream of its own.
 */
export function shareStream(tell: Tell): () => void {
  if (typeof SharedWorker === 'undefined') return readWhileShown(tell);
  let stop = () => {};
  const readAlone = () => {
    stop();
    stop = readWhileShown(tell);
  };
  stop = joinShared(tell, readAlone);
  return () => stop();
}

function joinShared(tell: Tell, onDead: () => void): () => void {
  const worker = new SharedWorker(new URL('./stream-worker.ts', import.meta.url), {
    type: 'module',
    name: 'saga-changes',
  });
  let heardAt = Date.now();
  const listen = ({ data }: MessageEvent<StreamSignal>) => {
    heardAt = Date.now();
    if (data.kind !== 'beat') tell(data);
  };
  worker.port.addEventListener('message', listen);
  worker.port.start();
  // The worker cannot be loaded.
  worker.addEventListener('error', onDead);
  // A hidden tab may be asleep, and then it hears nothing although the worker speaks.
  const wake = () => {
    heardAt = Date.now();
  };
  document.addEventListener('visibilitychange', wake);
  const timer = window.setInterval(() => {
    if (!document.hidden && Date.now() - heardAt > SILENT_MS) onDead();
  }, SILENT_MS / 5);
  return () => {
    window.clearInterval(timer);
    document.removeEventListener('visibilitychange', wake);
    worker.port.removeEventListener('message', listen);
    worker.port.close();
  };
}

/** Reads a stream only while the tab is shown, so that many tabs leave connections for requests. */
function readWhileShown(tell: Tell): () => void {
  let close: (() => void) | undefined;
  const update = () => {
    if (document.hidden) {
      close?.();
      close = undefined;
    } else close ??= openStream(tell);
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    close?.();
  };
}
