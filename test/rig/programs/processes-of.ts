import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Processes that name the folder anywhere: as argument, working folder or variable. */
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
        // It ended while we looked, or is not ours to look into.
        return false;
      }
    });
}
