import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A real Claude Code: the newest pinned version, or the version that the matrix tests now. */
export interface Client {
  version: string;
  program: string;
  /** The words before its own arguments. Old versions are a script, so the first word is Node. */
  lead: string[];
}

/** Set by the matrix to the folder of another version's package. */
export const CLIENT_FOLDER_VARIABLE = 'SAGA_TEST_CLIENT';

export function findClient(folder = process.env[CLIENT_FOLDER_VARIABLE]): Client {
  const manifest = folder ? join(folder, 'package.json') : pinnedManifest();
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const script = join(dirname(manifest), 'cli.js');
  if (existsSync(script)) return { version, program: process.execPath, lead: [script] };
  return { version, program: findNative(manifest, version), lead: [] };
}

function pinnedManifest(): string {
  const require = createRequire(import.meta.url);
  try {
    return require.resolve('@anthropic-ai/claude-code/package.json');
  } catch (cause) {
    throw new Error('Claude Code is not installed. Run: npm run setup', { cause });
  }
}

/**
 * Finds the program of the package. Its launcher works only after an install script, the program beside it works
 * without.
 */
function findNative(manifest: string, version: string): string {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}/package.json`;
  try {
    return join(dirname(createRequire(manifest).resolve(name)), 'claude');
  } catch (cause) {
    throw new Error(
      `The program of Claude Code ${version} for ${process.platform}-${process.arch} is missing. Run: npm run setup`,
      { cause },
    );
  }
}

/** Writes the client to a path as `npm install -g` would. Old versions are a script for Node. */
export function writeClient(path: string): void {
  const { program, lead } = findClient();
  if (lead.length === 0) {
    symlinkSync(program, path);
    return;
  }
  const words = [program, ...lead].map((word) => `'${word}'`).join(' ');
  writeFileSync(path, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
}
