import { type Connection, useConnection } from '../api/connection.ts';

const LOOKS: Record<Connection, { dot: string; text: string; shown: string }> = {
  connecting: { dot: 'bg-plain', text: 'connecting', shown: 'hidden sm:inline' },
  live: { dot: 'bg-done', text: 'live', shown: 'hidden sm:inline' },
  lost: { dot: 'bg-needs-you', text: 'connection lost', shown: 'text-needs-you' },
};

export function ConnectionState() {
  const connection = useConnection();
  const { dot, text, shown } = LOOKS[connection];
  return (
    <div role="status" className="flex items-center gap-1.5 px-1.5 text-xs text-faint">
      <span aria-hidden="true" className={`size-1.5 rounded-full ${dot}`} />
      <span className={shown}>{text}</span>
    </div>
  );
}
