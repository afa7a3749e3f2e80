/**
 * An exact moment in the life of a worker: before or after it writes an event, starts a program (after: that has
 * ended) or moves a file into its place. Text in `has` narrows it down; `nth` counts what fits.
 */
export interface Moment {
  when: 'before' | 'after';
  what: 'event' | 'program' | 'file';
  /** The type of the event, the program's name with its first arguments, or the end of the file's path. */
  name: string;
  /** A text that the event's line, the whole command or the path contains, too. */
  has?: string;
  nth?: number;
}

export const before = (what: Moment['what'], name: string, more: Partial<Moment> = {}): Moment => ({
  when: 'before',
  what,
  name,
  ...more,
});

export const after = (what: Moment['what'], name: string, more: Partial<Moment> = {}): Moment => ({
  ...before(what, name, more),
  when: 'after',
});
