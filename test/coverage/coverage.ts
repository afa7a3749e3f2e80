import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuilt } from '../../scripts/build/ensure-built.ts';
import { createTempFolder } from '../rig/project/temp-folder.ts';
import { addRan, describeLines, type FileLines, readCounted } from './file-lines.ts';
import { RanLines } from './ran-lines.ts';

/**
 * `npm run coverage`: which lines the tests run. vitest counts what runs inside it. The command that
 * tests start as a program is built with a source map, and each of its processes reports to a folder; so
 * does each source that a test starts by itself.
 * Processes that are killed with SIGKILL report nothing. All other arguments are vitest's: `--project`,
 * or the tests to run. `--add` adds to what the last run counted, file by file, where the file is the same.
 */
const FOLDER = 'coverage';
const REPORT = join(FOLDER, 'vitest');
const RAN = join(FOLDER, 'ran.json');
const COMMAND = resolve('packages/cli/dist/cli.cjs');
const SOURCES = [
  'packages/{types,core,model,cli}/src/**/*.ts',
  'packages/dashboard/src/server/**/*.ts',
];
/** What must be counted at least, in percent of lines, by package. */
const LEAST = { core: 85, types: 85 };
const PAUSE_MS = 2000;
const OWN = pathToFileURL(resolve('packages')).href;

const isAdded = process.argv.includes('--add');
const asked = process.argv.slice(2).filter((it) => it !== '--add');
const projects = asked.includes('--project') ? [] : ['--project', 'all', '--project', 'browser'];
ensureBuilt(['--source-map']);
using reports = createTempFolder();
// Some tests start programs as another user.
chmodSync(reports.path, 0o1777);
/** By the address of the script. */
const ran = new Map([[pathToFileURL(COMMAND).href, openCommand()]]);
const earlier = isAdded ? loadRan() : [];
const code = await runTests(reports.path);
takeReports(reports.path);
ensureBuilt();

const files = readCounted(JSON.parse(readFileSync(join(REPORT, 'coverage-final.json'), 'utf8')));
for (const script of ran.values()) {
  for (const [source, lines] of script.lines()) {
    addRan(files, resolve(dirname(COMMAND), source), lines);
  }
}
for (const { file, digest, lines } of earlier) {
  if (existsSync(file) && digest === digestOf(file)) addRan(files, resolve(file), new Set(lines));
}
process.exitCode = tell(files) ? code : 1;

/** Runs the tests with vitest and takes the reports of the programs that they start. */
async function runTests(folder: string): Promise<number> {
  const options = {
    enabled: 'true',
    provider: 'v8',
    exclude: '**/*.test.ts',
    reporter: 'json',
    reportsDirectory: REPORT,
    reportOnFailure: 'true',
  };
  const coverage = [
    ...Object.entries(options).map(([key, value]) => `--coverage.${key}=${value}`),
    ...SOURCES.map((it) => `--coverage.include=${it}`),
  ];
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...coverage, ...asked];
  const env = { ...process.env, SAGA_COVERAGE: folder };
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  let code: number | undefined;
  child.on('close', (ended) => {
    code = ended ?? 1;
  });
  while (code === undefined) {
    await sleep(PAUSE_MS);
    takeReports(folder);
  }
  return code;
}

/** Adds the reports in the folder and removes them: each is large, and there are thousands. */
function takeReports(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    try {
      const { result } = JSON.parse(readFileSync(file, 'utf8'));
      for (const { url, functions } of result) findScript(url)?.add(functions);
    } catch (error) {
      // A report that is still being written is taken the next time.
      if (error instanceof SyntaxError) continue;
      throw error;
    }
    rmSync(file);
  }
}

function openCommand(): RanLines {
  const map = JSON.parse(readFileSync(`${COMMAND}.map`, 'utf8'));
  return RanLines.ofBundle(readFileSync(COMMAND, 'utf8'), map);
}

/** The command, or a source of ours that a test starts by itself. */
function findScript(url: string): RanLines | undefined {
  const known = ran.get(url);
  if (known || !url.startsWith(OWN) || !url.endsWith('.ts')) return known;
  const file = fileURLToPath(url);
  const source = RanLines.ofSource(readFileSync(file, 'utf8'), file);
  ran.set(url, source);
  return source;
}

interface RanFile {
  /** Its path below the repository. */
  file: string;
  digest: string;
  lines: number[];
}

function loadRan(): RanFile[] {
  return existsSync(RAN) ? JSON.parse(readFileSync(RAN, 'utf8')) : [];
}

function saveRan(files: FileLines): void {
  const all = [...files].map(
    ([file, lines]): RanFile => ({
      file: relative('.', file),
      digest: digestOf(file),
      lines: [...lines].filter(([, ran]) => ran).map(([line]) => line),
    }),
  );
  writeFileSync(RAN, JSON.stringify(all));
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Prints the figures. Returns false if a package has too little. */
function tell(files: FileLines): boolean {
  const { table, missing, low } = describeLines(files, { root: resolve('packages'), least: LEAST });
  saveRan(files);
  writeFileSync(join(FOLDER, 'missing.txt'), `${missing.join('\n')}\n`);
  console.log(`\n${table.join('\n')}\n\nLines that no test runs: ${FOLDER}/missing.txt`);
  return low.length === 0;
}
