/** "just now", "25 min", "3 h", "2 days"; a time that cannot be read is shown as it is. */
export function formatAge(time: string, now: number): string {
  const minutes = Math.round((now - Date.parse(time)) / 60_000);
  if (!Number.isFinite(minutes)) return time;
  if (minutes < 1) return 'just now';
  if (minutes < 90) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}

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
