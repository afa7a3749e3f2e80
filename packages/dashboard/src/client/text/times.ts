/** "15 Nov, 12:30" in the reader's zone. */
export function formatMoment(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return `${day}, ${date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`;
}

/** How a moment within a span of time is written: of a short one people want to see seconds. */
export const chooseMomentFormat = (ms: number) => (ms < 15 * 60_000 ? formatClock : formatMoment);

/** "12:30:44". */
export function formatClock(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleTimeString('en-GB');
}
