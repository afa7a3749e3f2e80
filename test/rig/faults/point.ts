/**
 * An exact moment in the life of a worker: before or after it writes an event, runs a program or moves a file into its
 * place. `has` is a text that the moment must contain; `nth` chooses one of several such moments.
 */
export interface Point {
  when: 'before' | 'after';
  what: 'event' | 'program' | 'file';
  /** The type of the event, the program's name with its first arguments, or the end of the file's path. */
  name: string;
  /** A text that the event's line, the whole command or the path contains, too. */
  has?: string;
  nth?: number;
}

export const before = (what: Point['what'], name: string, more: Partial<Point> = {}): Point => ({
  when: 'before',
  what,
  name,
  ...more,
});

export const after = (what: Point['what'], name: string, more: Partial<Point> = {}): Point => ({
  ...before(what, name, more),
  when: 'after',
});
