import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** One command line that is measured. */
export interface Candidate {
  /** Whose column it is. */
  program: string;
  /** Which row it is. */
  row: string;
  command: readonly string[];
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Puts everything in place for one run; its time does not count. */
  prepare?(): void;
}

export const TIME_LIMIT = 60_000;

/** Milliseconds from start to exit, or nothing when it takes more than a minute. */
export function timeRun(candidate: Candidate): number | undefined {
  candidate.prepare?.();
  const before = performance.now();
  const finished = run(candidate, candidate.env);
  return finished ? performance.now() - before : undefined;
}

export interface Usage {
  /** Megabytes that its processes had resident at most, all together. */
  memory: number;
  /** Milliseconds of processor time of the main thread, which is what a person waits for. */
  cpu: number;
}

export function weighRun(candidate: Candidate): Usage | undefined {
  candidate.prepare?.();
  const report = join(candidate.env.HOME ?? '', 'usage');
  const preload = join(import.meta.dirname, 'report-usage.cjs');
  rmSync(report, { force: true });
  const finished = run(candidate, {
    ...candidate.env,
    BENCH_USAGE_FILE: report,
    NODE_OPTIONS: `--require=${preload}`,
    BUN_OPTIONS: `--preload=${preload}`,
  });
  if (!finished) return undefined;
  const usage: Usage = { memory: 0, cpu: 0 };
  for (const line of readFileSync(report, 'utf8').trim().split('\n')) {
    const [kilobytes, milliseconds] = line.split(' ').map(Number);
    usage.memory += (kilobytes ?? 0) / 1024;
    usage.cpu += milliseconds ?? 0;
  }
  return usage;
}

/** Output goes to a pipe, as it does when an agent asks. */
function run({ command, folder, row, program }: Candidate, env: NodeJS.ProcessEnv): boolean {
  const [file = '', ...args] = command;
  const result = spawnSync(file, args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIME_LIMIT,
    maxBuffer: 1 << 28,
  });
  if (result.error && 'code' in result.error && result.error.code === 'ETIMEDOUT') return false;
  if (result.status === 0) return true;
  throw new Error(`${program} ${row} failed: ${result.error ?? result.stderr}`);
}
