import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What a stranger waits for: `git clone`, `npm run demo`. Everything is committed that counts, so the
 * clone is of the last commit; package caches are as they are.
 */
const LIMITS = { all: 90, stories: 30 };

const folder = mkdtempSync(join(tmpdir(), 'saga-clone-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

execFileSync('git', ['clone', '-q', '.', folder]);
const started = performance.now();
// As in a new terminal: nothing of the scripts around this one.
const path = (process.env.PATH ?? '').split(':').filter((it) => !it.includes('node_modules'));
const { PATH: _, ...env } = Object.fromEntries(
  Object.entries(process.env).filter(([key]) => !/^npm_|^NODE_OPTIONS$|^INIT_CWD$/.test(key)),
);
const demo = spawnSync('npm', ['run', 'demo', '--', '--headless'], {
  cwd: folder,
  env: { ...env, PATH: path.join(':') },
  encoding: 'utf8',
});
const all = (performance.now() - started) / 1000;
process.stdout.write(demo.stdout);
process.stderr.write(demo.stderr);
const stories = Number(/([\d.]+) s for the stories/.exec(demo.stdout)?.[1] ?? Number.NaN);
const rows = [
  { about: 'npm run demo on a fresh clone', found: all, limit: LIMITS.all },
  { about: 'of which the stories', found: stories, limit: LIMITS.stories },
];
for (const { about, found, limit } of rows) {
  const glyph = found <= limit ? '✓' : '✗';
  process.stdout.write(`${glyph} ${about}: ${found.toFixed(1)} s, at most ${limit} s\n`);
}
process.exitCode = demo.status === 0 && rows.every(({ found, limit }) => found <= limit) ? 0 : 1;
