/**
 * Loaded into a program with `node --import`: its clock is ahead by `CLOCK_AHEAD_MS`, or behind if that is negative.
 * Timers go on as usual. Programs that it starts have the right time, as files have.
 */
const ahead = Number(process.env.CLOCK_AHEAD_MS);
const RealDate = Date;
const now = () => RealDate.now() + ahead;
globalThis.Date = new Proxy(RealDate, {
  construct: (_, args) =>
    args.length === 0 ? new RealDate(now()) : Reflect.construct(RealDate, args),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});

export {};
