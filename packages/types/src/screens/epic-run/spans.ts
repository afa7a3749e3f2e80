/** Something that went on with a story for a time. Times are milliseconds since the epoch. */
export interface Span {
  /**
   * work: a run works on the story. gate: its gate runs. merge: the story is merged and verified. waits: it waits for a
   * person.
   */
  kind: 'work' | 'gate' | 'merge' | 'waits';
  from: number;
  /** Null while it goes on. */
  to: number | null;
  /** True if the gate or the merge failed. */
  isFailed?: true;
}

/** A session of the story. */
export interface WorkedSession {
  from: number;
  to: number | null;
  /** True if only a person could help when the session ended. */
  isStuck: boolean;
  gates: readonly { from: number; to: number | null; isFailed: boolean }[];
  /** When its tasks were completed, oldest first. */
  tasks?: readonly number[];
}

/** An attempt to merge the story. */
export interface TriedMerge {
  from: number;
  to: number | null;
  isFailed: boolean;
  /** True if only a person could help after the attempt. */
  isStuck: boolean;
}

export interface Worked {
  sessions: readonly WorkedSession[];
  merges: readonly TriedMerge[];
  /** Whether the story waits for a person now. */
  isStuck: boolean;
}

/** The time that is looked at: a run of an epic. `to` is null while it goes on. */
export interface Period {
  from: number;
  to: number | null;
}

/** Derives what went on with a story, oldest first. Parts outside the period are cut off. */
export function deriveSpans({ sessions, merges, isStuck }: Worked, period: Period): Span[] {
  const acts = [
    ...sessions.map((it) => ({ ...it, spans: cutAtTasks(splitSession(it), it.tasks ?? []) })),
    ...merges.map((it) => ({ ...it, spans: [toMerge(it)] })),
  ].toSorted((a, b) => a.from - b.from);
  const spans = acts.flatMap((act, i): Span[] => {
    const next = acts[i + 1];
    if (!act.isStuck || act.to === null) return act.spans;
    // A person has helped, and nothing has begun since. The time of the help is not known.
    if (!next && !isStuck) return act.spans;
    return [...act.spans, { kind: 'waits', from: act.to, to: next?.from ?? null }];
  });
  return spans.flatMap((span) => clip(span, period));
}

function splitSession({ from, to, gates }: WorkedSession): Span[] {
  const spans: Span[] = [];
  let at = from;
  for (const gate of gates) {
    spans.push({ kind: 'work', from: at, to: gate.from });
    const end = gate.to ?? to;
    spans.push({
      kind: 'gate',
      from: gate.from,
      to: end,
      ...(gate.isFailed && { isFailed: true }),
    });
    if (end === null) return spans;
    at = end;
  }
  return [...spans, { kind: 'work', from: at, to }];
}

/** Cuts the work into one span for each task. */
function cutAtTasks(spans: readonly Span[], tasks: readonly number[]): Span[] {
  return spans.flatMap((span) => {
    if (span.kind !== 'work') return [span];
    const { from, to } = span;
    const inside = tasks.filter((at) => at > from && (to === null || at < to));
    return [...inside, to].map(
      (end, i): Span => ({ ...span, from: inside[i - 1] ?? from, to: end }),
    );
  });
}

const toMerge = ({ from, to, isFailed }: TriedMerge): Span => ({
  kind: 'merge',
  from,
  to,
  ...(isFailed && { isFailed: true }),
});

function clip(span: Span, period: Period): Span[] {
  const from = Math.max(span.from, period.from);
  const to = period.to === null ? span.to : Math.min(span.to ?? period.to, period.to);
  return to !== null && to <= from ? [] : [{ ...span, from, to }];
}
