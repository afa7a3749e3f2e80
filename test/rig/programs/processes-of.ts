import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Lists the processes that name the folder anywhere: as argument, working folder or variable. */
export function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const texts = ['cmdline', 'environ'].map((it) =>
          readFileSync(`/proc/${pid}/${it}`, 'utf8'),
        );
        return [...texts, readlinkSync(`/proc/${pid}/cwd`)].some((text) => text.includes(folder));
      } catch {
        // The process has just ended, or this user may not read it.
        return false;
      }
    });
}
