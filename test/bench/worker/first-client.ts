import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createWorkshop } from '../../rig/workshop.ts';

/** Milliseconds from the start of a worker to its first client, and what others took of them. */
export interface FirstClient {
  total: number;
  /** `git worktree add`, `git push` and gh, by their own account. */
  others: number;
  own: number;
}

/** On a fresh worktree of a small repository, with a pull request. */
export async function measureFirstClient(): Promise<FirstClient> {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  it.story('before', {}, { one: {} });
  const trace = join(it.home, 'git-trace.json');
  const ghLog = join(it.home, 'gh.log');
  const bin = dirname((it.environment.PATH ?? '').split(':')[0] ?? '');
  writeFileSync(
    join(bin, 'bin', 'gh'),
    `#!/bin/bash\ns=$EPOCHREALTIME\n/usr/bin/gh "$@"\nc=$?\necho "$s $EPOCHREALTIME $1" >> '${ghLog}'\nexit $c\n`,
    { mode: 0o755 },
  );
  // A worker ran here before, as a rule: Node's compiled code and the client's version are known.
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'saga-bench-compile-cache') };
  await it.saga(['worker', 'before'], { env });
  const start = Date.now();
  const { code, stderr } = await it.saga(['worker', 'cart'], {
    env: { ...env, GIT_TRACE2_EVENT: trace },
  });
  if (code !== 0) throw new Error(`The worker ended with ${code}: ${stderr}`);
  const begun = it.events().find((event) => event.type === 'run:start');
  const total = Date.parse(begun?.time ?? '') - start;
  const others = sumGit(trace, start + total) + sumGh(ghLog, start, start + total);
  return { total, others, own: total - others };
}

interface TraceEvent {
  event: string;
  sid: string;
  time: string;
  t_abs?: number;
  argv?: string[];
}

function sumGit(file: string, before: number): number {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const events = lines.map((line) => JSON.parse(line) as TraceEvent);
  const counted = events.filter(
    ({ event, sid, argv = [], time }) =>
      event === 'start' &&
      !sid.includes('/') &&
      Date.parse(time) <= before &&
      ((argv.includes('worktree') && argv.includes('add')) || argv.includes('push')),
  );
  return counted.reduce((sum, { sid }) => {
    const exit = events.find((it) => it.event === 'exit' && it.sid === sid);
    return sum + (exit?.t_abs ?? 0) * 1000;
  }, 0);
}

/** The question for its version runs beside others and holds nothing up. */
function sumGh(file: string, after: number, before: number): number {
  if (!existsSync(file)) return 0;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines
    .map((line) => line.split(' '))
    .filter(
      ([start, end, verb]) =>
        verb === 'pr' && Number(start) * 1000 >= after && Number(end) * 1000 <= before,
    )
    .reduce((sum, [start, end]) => sum + (Number(end) - Number(start)) * 1000, 0);
}
