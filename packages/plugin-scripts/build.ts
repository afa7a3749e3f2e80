import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { formatLicences } from '../../scripts/licences.ts';

/**
 * Writes plugin/scripts: the command in one file, and small programs around it. They are committed, because a plugin is
 * installed by copying its folder. `--check` compares the committed files with the result of the sources.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const target = join(here, '../../plugin/scripts');
/** The pages, which vite has built before. */
const pages = join(here, '../dashboard/dist/client');

const shared: BuildOptions = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22.18',
  supported: { 'dynamic-import': false },
  minify: true,
  legalComments: 'none',
  write: false,
  metafile: true,
  outdir: target,
  logLevel: 'warning',
  // This module is native, and only for speed: without it, folders are polled.
  external: ['@parcel/watcher'],
  absWorkingDir: here,
};

/** All commands are in one file, which each small program loads if it needs them. */
const commandsBeside: Plugin = {
  name: 'commands-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^(\.\/run\.ts|@saga-ai\/cli\/run)$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './cli.js', external: true },
    );
  },
};

const built = new Map<string, string>([['package.json', '{ "type": "commonjs" }\n']]);
const outputs = await Promise.all([
  build({ ...shared, entryPoints: { cli: '../cli/src/run.ts' } }),
  build({
    ...shared,
    plugins: [commandsBeside],
    entryPoints: { saga: '../cli/src/main.ts', worker: 'src/worker.ts' },
  }),
  build({
    ...shared,
    entryPoints: { 'scope-validator': 'src/scope-validator.ts', 'sync-hook': 'src/sync-hook.ts' },
  }),
]);
for (const { outputFiles = [] } of outputs) {
  for (const { path, text } of outputFiles) built.set(basename(path), text);
}

const inputs = outputs.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
built.set('licences.txt', formatLicences(inputs.map((path) => resolve(here, path))));

for (const name of listFiles(pages)) {
  built.set(join('dashboard', name), readFileSync(join(pages, name), 'utf8'));
}

if (process.argv.includes('--check')) {
  const stale = [...built].filter(([name, text]) => read(name) !== text).map(([name]) => name);
  const extra = listFiles(target).filter((name) => !built.has(name));
  for (const name of [...stale, ...extra]) {
    process.stderr.write(`plugin/scripts/${name} is out of date: npm run build\n`);
  }
  process.exit(stale.length + extra.length > 0 ? 1 : 0);
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const [name, text] of built) {
  mkdirSync(dirname(join(target, name)), { recursive: true });
  writeFileSync(join(target, name), text);
  if (text.startsWith('#!')) chmodSync(join(target, name), 0o755);
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function read(name: string): string | undefined {
  const path = join(target, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
