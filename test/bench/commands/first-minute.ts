import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';
import { formatTable } from '../measure/table.ts';
import { formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';

const REHEARSE_MS = 5000;
const DOCTOR_MS = 3000;
const ROUNDS = 5;

/** What a newcomer waits for, with the real client: a look around, and a story of three tasks. */
export async function benchFirstMinute(): Promise<{ table: string; targets: Target[] }> {
  await using it = await createWorkshop();
  it.write('.saga/config.json', { gate: { verify: 'true' } });
  it.story('cart');
  const rehearse: number[] = [];
  const doctor: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    rehearse.push(await time(it, ['rehearse', 'cart']));
    doctor.push(await time(it, ['doctor']));
  }
  return {
    table: formatTable([
      ['first minute', 'median', 'fastest', 'slowest'],
      ['saga rehearse, 3 tasks', ...figuresOf(rehearse)],
      ['saga doctor', ...figuresOf(doctor)],
    ]),
    targets: [
      target('saga rehearse of 3 tasks, median', median(rehearse), REHEARSE_MS),
      target('saga doctor, median', median(doctor), DOCTOR_MS),
    ],
  };
}

async function time(it: Workshop, args: string[]): Promise<number> {
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'saga-bench-compile-cache') };
  const start = performance.now();
  const { code, stdout, stderr } = await it.saga(args, { env });
  if (code !== 0) throw new Error(`saga ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return performance.now() - start;
}

function target(about: string, found: number, limit: number): Target {
  return { about, found: formatTime(found), limit: formatTime(limit), met: found <= limit };
}

const figuresOf = (times: readonly number[]) =>
  [median(times), Math.min(...times), Math.max(...times)].map(formatTime);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
