import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startFleet } from '../../rig/worker/fleet.ts';
import { createDag, measureDag } from '../epic/dag.ts';
import { formatTable } from '../measure/table.ts';
import { formatRatio, formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';

const MACHINES = 3;
const SLOTS = 7;
const AT_MOST = 1.1;

/** The epic of 20 stories on three machines, each with its own clone, all on this one. */
export async function benchFleetEpic(): Promise<{ table: string; targets: Target[] }> {
  const { it: workshop, children } = await createDag();
  await using it = workshop;
  await using fleet = await startFleet(it);
  const agents = Array.from({ length: MACHINES }, (_, i) =>
    fleet.agent(`m${i}`, { args: ['--jobs', String(SLOTS)] }),
  );
  await Promise.all(agents.map((agent) => agent.told('ready')));
  const args = ['run', 'big', '--engine', '--jobs', '20', '--no-wait'];
  const { code, stderr } = await it.saga(args, { env: fleet.env });
  if (code !== 0) throw new Error(`The epic was not handed over (${code}): ${stderr}`);
  await Promise.race(agents.map((agent) => agent.told('ended', 'big')));
  const ends = agents.flatMap((agent) => agent.events()).filter((it) => it.type === 'ended');
  const failed = ends.filter((it) => it.outcome !== 'done');
  if (failed.length > 0) throw new Error(`Not all came through: ${JSON.stringify(failed)}`);
  const [file] = agents.flatMap(({ data }) =>
    readdirSync(data, { recursive: true, encoding: 'utf8' })
      .filter((name) => /saga-epic-big[^/]*\.jsonl$/.test(name))
      .map((name) => join(data, name)),
  );
  const { makespan, critical, ratio } = measureDag(file ?? '', children);
  return {
    table: formatTable([
      [`an epic of 20 stories on ${MACHINES} machines`, 'time'],
      ['from start to end', formatTime(makespan)],
      ['the longest chain of stories, each with its merge', formatTime(critical)],
    ]),
    targets: [
      {
        about: 'fleet: an epic beside its longest chain',
        found: formatRatio(ratio),
        met: ratio <= AT_MOST,
        limit: formatRatio(AT_MOST),
      },
    ],
  };
}

if (import.meta.main) {
  const { table, targets } = await benchFleetEpic();
  process.stdout.write(`${table}\n${targets.map((it) => `${it.about}: ${it.found}`).join('\n')}\n`);
}
