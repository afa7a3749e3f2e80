import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a PATH without some programs, which may be in the same folder as the others. */
export function pathWithout(
  { home, environment }: { home: string; environment: Record<string, string> },
  ...programs: string[]
): string {
  const folder = join(home, '..', `without-${programs.join('-')}`);
  mkdirSync(folder);
  const taken = new Set(programs);
  for (const place of (environment.PATH ?? '').split(':')) {
    for (const name of readdirOrNothing(place)) {
      if (taken.has(name)) continue;
      taken.add(name);
      symlinkSync(join(place, name), join(folder, name));
    }
  }
  return folder;
}

function readdirOrNothing(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // PATH may name folders that are not there.
    return [];
  }
}
