import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { formatLicences } from '../licences.ts';
import { PAGES } from './target.ts';

/**
 * Builds what people install: a tiny entry, and all commands in one file beside it.
 * It is CommonJS because requiring one file costs a third of linking the same code as ES modules,
 * and because the compile cache that the entry turns on then covers everything. What the source
 * imports dynamically is still run only when it is asked for.
 */
export async function buildCommand(outdir: string, options: readonly string[]): Promise<void> {
  /** For `npm run coverage`, which finds the sources of what ran. */
  const isCounted = options.includes('--source-map');
  const shared: BuildOptions = {
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22.18',
    supported: { 'dynamic-import': false },
    minify: !options.includes('--readable') && !isCounted,
    // Beside the command and not named in it: Node would copy the map into every report.
    ...(isCounted ? { sourcemap: 'external', sourcesContent: false } : {}),
    logLevel: 'warning',
    // The watcher is native, and only for speed. pg-boss is for fleets only, and loaded by those.
    external: ['@parcel/watcher', 'pg-boss'],
  };

  const commands = await build({
    ...shared,
    metafile: true,
    entryPoints: { cli: 'packages/cli/src/run.ts' },
  });
  // Started on every call of a tool, so they are small: the plugin runs them without the command.
  const hooks = await build({
    ...shared,
    metafile: true,
    entryPoints: ['scope-validator', 'sync-hook'].map((name) => ({
      in: `packages/cli/src/hooks/${name}.ts`,
      out: `hooks/${name}`,
    })),
  });
  const inputs = [commands, hooks].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(`${outdir}/licences.txt`, formatLicences(inputs.map((path) => resolve(path))));
  await build({
    ...shared,
    entryPoints: { saga: 'packages/cli/src/main.ts' },
    plugins: [
      {
        name: 'commands-beside-the-entry',
        setup({ onResolve }) {
          onResolve({ filter: /^\.\/run\.ts$/ }, () => ({ path: './cli.cjs', external: true }));
        },
      },
    ],
  });
  chmodSync(`${outdir}/saga.cjs`, 0o755);
  cpSync(PAGES.folder, join(outdir, 'dashboard'), {
    recursive: true,
    filter: (path) => !basename(path).startsWith('.'),
  });
}
