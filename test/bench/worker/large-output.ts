import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createWorkshop } from '../../rig/worker/workshop.ts';

export interface OutputCost {
  /** Milliseconds of a whole story. */
  time: number;
  /** Megabytes the worker had resident at most. */
  memory: number;
}

const MEGABYTES = 200;

/** A story whose output file is empty at first, and one whose file has 200 MB already. */
export async function measureOutput(isLarge: boolean): Promise<OutputCost> {
  await using it = await createWorkshop();
  it.story('cart');
  const file = join(it.home, 'output.jsonl');
  writeFileSync(file, '');
  if (isLarge) {
    const line = `${JSON.stringify({ time: 'x', type: 'run:text', text: 'x'.repeat(1000) })}\n`;
    const part = line.repeat(1024);
    for (let size = 0; size < MEGABYTES * 1024 * 1024; size += part.length) {
      appendFileSync(file, part);
    }
  }
  const usage = join(it.home, 'usage');
  const report = fileURLToPath(new URL('../measure/report-usage.cjs', import.meta.url));
  const env = { NODE_OPTIONS: `--require ${report}`, BENCH_USAGE_FILE: usage };
  const start = performance.now();
  const { code, stderr } = await it.saga(['worker', 'cart', '--output-file', file], { env });
  if (code !== 0) throw new Error(`The worker ended with ${code}: ${stderr}`);
  const time = performance.now() - start;
  const kilobytes = readFileSync(usage, 'utf8')
    .trim()
    .split('\n')
    .map((it) => Number.parseInt(it, 10));
  return { time, memory: Math.max(...kilobytes) / 1024 };
}
