import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countFailures, type Failure, type RunReport, readReport } from './failures.ts';
import { readOptions } from './options.ts';

/**
 * Runs the tests of `npm test` and `npm run check -- browser`, or of the projects that `--project` names,
 * again and again, without retries, and says what failed how often. With `--loaded K` it shares the machine
 * with K loops that never rest.
 */
const { runs, loaded, projects, filters } = readOptions(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'saga-stable-'));
const loops = Array.from({ length: loaded }, startBusyLoop);
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const reports: RunReport[] = [];
for (let run = 1; run <= runs; run++) {
  const started = Date.now();
  const report = await runSuite(run);
  reports.push(report);
  const seconds = Math.round((Date.now() - started) / 1000);
  const verdict = report.failures.length === 0 ? 'green' : `${report.failures.length} failed`;
  print(`run ${run} of ${runs}: ${verdict}, ${report.tests} tests, ${seconds} s`);
}
const failures = countFailures(reports);
print(failures.length === 0 ? `\nNothing failed in ${runs} runs.` : `\nFailed in ${runs} runs:`);
for (const failure of failures) print(formatFailure(failure));
process.exit(failures.length === 0 ? 0 : 1);

async function runSuite(run: number): Promise<RunReport> {
  const file = join(folder, `${run}.json`);
  const which = projects.flatMap((name) => ['--project', name]);
  const how = ['--retry=0', '--reporter=json', `--outputFile=${file}`];
  const child = spawn('npx', ['vitest', 'run', ...which, ...filters, ...how], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2000);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  let json: string | undefined;
  try {
    json = readFileSync(file, 'utf8');
  } catch {
    // It did not come to its end: that is a failure of its own.
  }
  return readReport(json, code, stderr, `${process.cwd()}/`);
}

function startBusyLoop(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
}

function formatFailure({ name, count, message }: Failure & { count: number }): string {
  const [first = ''] = message.split('\n');
  return `${String(count).padStart(4)} ×  ${name}\n        ${first.slice(0, 200)}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
