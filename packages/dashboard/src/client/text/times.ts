/** Builds a formatter. Each is built once, because building one takes longer than all formatting on a page. */
const build = (parts: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', parts);
const DAY_OF_YEAR = build({ day: 'numeric', month: 'short' });
const WHOLE_DAY = build({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const MINUTE = build({ hour: '2-digit', minute: '2-digit' });
const SECOND = build({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** Formats a time in the reader's time zone: "15 Nov, 12:30". */
export function formatMoment(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return `${DAY_OF_YEAR.format(date)}, ${MINUTE.format(date)}`;
}

/** Formats a day: "Sun, 15 Nov 2026". */
export function formatDay(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return WHOLE_DAY.format(date);
}

/** Chooses how to write a moment within a span of time. A short span needs seconds. */
export const chooseMomentFormat = (ms: number) => (ms < 15 * 60_000 ? formatClock : formatMoment);

/** Formats a time of day: "12:30:44". */
export function formatClock(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : SECOND.format(date);
}

/** Formats the hour and minute of a time in milliseconds: "12:30". */
export const formatMinute = (at: number): string => MINUTE.format(at);

/** Formats a time in milliseconds: "12:30:44". */
export const formatSecond = (at: number): string => SECOND.format(at);
