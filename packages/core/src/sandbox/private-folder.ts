import { copyFileSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A private folder that replaces a real one. The rest of the real folder is shown in it, read-only. */
export interface PrivateFolder {
  path: string;
  by: string;
  shown: string[];
}

export interface Contents {
  /** Folders that are private too, with their entries shown in them. */
  opened: ReadonlySet<string>;
  /** Neither shown nor copied. */
  withheld: ReadonlySet<string>;
  /** Files that the command may change in its private folder. */
  copied: ReadonlySet<string>;
}

/**
 * Creates the private folder. A link stays a link, because showing what it leads to at a second place would show it also
 * where the first place is hidden.
 */
export function createPrivateFolder(path: string, by: string, contents: Contents): PrivateFolder {
  const shown: string[] = [];
  fill(path, by, contents, shown);
  return { path, by, shown };
}

function fill(path: string, by: string, contents: Contents, shown: string[]): void {
  mkdirSync(by, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const at = join(path, entry.name);
    if (contents.withheld.has(at)) continue;
    if (contents.copied.has(at) && entry.isFile()) copyFileSync(at, join(by, entry.name));
    else if (contents.opened.has(at) && entry.isDirectory()) {
      fill(at, join(by, entry.name), contents, shown);
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(at), join(by, entry.name));
    else if (entry.isDirectory() || entry.isFile()) shown.push(at);
  }
}
