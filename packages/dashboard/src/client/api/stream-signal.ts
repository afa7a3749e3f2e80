import type { ChangeEvent } from '@saga-ai/types/screens/dashboard';

/** What the stream of changes tells a page. */
export type StreamSignal =
  /** The stream is open. Earlier answers may be out of date. */
  | { kind: 'open' }
  | { kind: 'change'; event: ChangeEvent }
  /** The server no longer knows which changes the page missed. */
  | { kind: 'reset' }
  | { kind: 'lost' }
  /** A sign of life of the shared stream. */
  | { kind: 'beat' };

export type Tell = (signal: StreamSignal) => void;
