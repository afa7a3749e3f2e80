import { chmodSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

/** Builds what people install: one small entry, and a chunk for each command. */
rmSync('packages/cli/dist', { recursive: true, force: true });
await build({
  entryPoints: { saga: 'packages/cli/src/main.ts' },
  outdir: 'packages/cli/dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  minify: true,
  chunkNames: 'chunk-[hash]',
  logLevel: 'warning',
});
chmodSync('packages/cli/dist/saga.js', 0o755);
