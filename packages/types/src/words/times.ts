/**
 * Formats an age: "just now", "25 min", "3 h", "2 days". A text that is not a time is returned unchanged. A
 * time in the future comes from another clock and is shown as "just now".
 */
export function formatAge(time: string, now: number): string {
  const minutes = Math.round((now - Date.parse(time)) / 60_000);
  if (!Number.isFinite(minutes)) return time;
  if (minutes < 1) return 'just now';
  if (minutes < 90) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}

/** Formats an age with "ago": "25 min ago". */
export function formatAgo(time: string, now: number): string {
  const age = formatAge(time, now);
  return age === 'just now' || age === time ? age : `${age} ago`;
}

/** The hour and minute of a time, as the clock of this machine shows them. A text that is not a time is returned unchanged. */
export function formatHourAndMinute(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toTimeString().slice(0, 5);
}

/** Formats an ISO time for people: "2026-11-15 14:05 UTC". A text that is not a time is returned unchanged. */
export function formatUntil(time: string): string {
  const [, day, clock] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::[\d.]+)?Z$/.exec(time) ?? [];
  return day === undefined ? time : `${day} ${clock} UTC`;
}
