import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Small programs as one file each: they start five times faster than from their sources. */
export async function bundlePrograms<Name extends string>(
  folder: URL,
  names: readonly Name[],
): Promise<Record<Name, string> & AsyncDisposable> {
  const outdir = mkdtempSync(join(tmpdir(), 'saga-programs-'));
  await build({
    entryPoints: names.map((name) => new URL(`${name}.ts`, folder).pathname),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  });
  const files = names.map((name) => [name, join(outdir, `${basename(name)}.mjs`)]);
  return Object.assign(Object.fromEntries(files) as Record<Name, string>, {
    [Symbol.asyncDispose]: async () => rmSync(outdir, { recursive: true, force: true }),
  });
}
