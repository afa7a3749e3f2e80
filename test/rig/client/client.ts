import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A real Claude Code: the pinned newest one, or the one the matrix is at. */
export interface Client {
  version: string;
  program: string;
  /** What stands before its own arguments: old versions are a script for Node. */
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

/** The package's launcher needs an install script to have run; the program beside it does not. */
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

/** As `npm install -g` would put it on PATH; old versions are a script for Node. */
export function writeClient(path: string): void {
  const { program, lead } = findClient();
  if (lead.length === 0) {
    symlinkSync(program, path);
    return;
  }
  const words = [program, ...lead].map((word) => `'${word}'`).join(' ');
  writeFileSync(path, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
}
