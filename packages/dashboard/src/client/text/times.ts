/** Formats a time in the reader's time zone: "15 Nov, 12:30". */
export function formatMoment(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return `${day}, ${date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`;
}

/** Formats a day: "Sun, 15 Nov 2026". */
export function formatDay(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const parts = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return date.toLocaleDateString('en-GB', parts);
}

/** Chooses how to write a moment within a span of time. A short span needs seconds. */
export const chooseMomentFormat = (ms: number) => (ms < 15 * 60_000 ? formatClock : formatMoment);

/** Formats a time of day: "12:30:44". */
export function formatClock(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleTimeString('en-GB');
}
