import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { formatTable } from '../measure/table.ts';
import { formatRatio, formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';
import { createDag, measureDag } from './dag.ts';

const AT_MOST = 1.05;

/** How much longer an epic takes than the longest chain of its stories, each with its merge. */
export async function benchEpic(): Promise<{ table: string; targets: Target[] }> {
  const { it: workshop, children } = await createDag();
  await using it = workshop;
  using tmux = createTmuxServer();
  const args = ['run', 'big', '--foreground', '--jobs', '20', '--no-wait'];
  const { code, stderr } = await it.saga(args, { env: tmux.environment, timeout: 1_200_000 });
  if (code !== 0) throw new Error(`The epic ended with ${code}: ${stderr}`);
  const file = it.outputFiles().find((name) => name.includes('saga-epic-big')) ?? '';
  const { makespan, critical, ratio } = measureDag(file, children);
  return {
    table: formatTable([
      ['an epic of 20 stories in 6 levels', 'time'],
      ['from start to end', formatTime(makespan)],
      ['the longest chain of stories, each with its merge', formatTime(critical)],
    ]),
    targets: [
      {
        about: 'an epic beside its longest chain',
        found: formatRatio(ratio),
        met: ratio <= AT_MOST,
        limit: formatRatio(AT_MOST),
      } as Target,
    ],
  };
}
