const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a span of time such as 90s, 30m, 2h or 7d, in milliseconds. Returns undefined for anything else. */
export function readSpan(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s?(s|m|h|d)$/.exec(text.trim()) ?? [];
  const ms = Number(amount) * (UNITS[unit] ?? Number.NaN);
  return ms > 0 ? ms : undefined;
}

/** Reads a moment: a day such as 2026-11-15 (its beginning here), an ISO time, or a span before now. */
export function readMoment(text: string, now: number): number | undefined {
  const span = readSpan(text);
  if (span !== undefined) return now - span;
  const given = text.trim();
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(given)) return undefined;
  // Without a time, Date would take the beginning of the day in Greenwich.
  const time = Date.parse(given.includes('T') ? given : `${given}T00:00:00`);
  return Number.isNaN(time) ? undefined : time;
}
