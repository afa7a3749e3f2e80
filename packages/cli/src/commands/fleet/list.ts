import { describeFleet } from '@saga-ai/core/fleet/describe-fleet';
import { redactUrl } from '@saga-ai/core/fleet/redact-url';
import { openGit } from '@saga-ai/core/git/git';
import { lookForProject } from '@saga-ai/core/project/find-project';
import { buildPaths } from '@saga-ai/core/project/paths';
import { stateOfMachine } from '@saga-ai/types/screens/fleet-view';
import type { FleetJson } from '@saga-ai/types/screens/json/fleet';
import { STATES } from '@saga-ai/types/screens/story-state';
import { count } from '@saga-ai/types/words/amounts';
import { formatAgo } from '@saga-ai/types/words/times';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { connect, findRepository, readEngineSettings, requireUrl } from '../../fleet/open-fleet.ts';
import type { Output } from '../../output/output.ts';
import { type Cell, formatRows } from '../../output/rows.ts';
import { cleanLine, hang } from '../../output/text.ts';

export const command: Command<FleetJson> = {
  output: () => import('@saga-ai/types/screens/json/fleet').then((it) => it.FleetJson),
  about: `Lists the machines of the fleet, what each works on, what is queued, and why it waits. In a project, the queue is
that of the project's repository.`,
  examples: ['saga fleet', 'saga fleet list --json'],
  async run({ out, folder }) {
    const project = lookForProject(folder);
    const paths = project ? buildPaths(project.root) : undefined;
    const settings = readEngineSettings(paths);
    const url = redactUrl(requireUrl(settings));
    const place = paths && (await findRepository(openGit(paths.root, environment.variables())));
    const engine = await connect(settings, 'reader', 'saga fleet');
    try {
      const machines = await engine.machines.list();
      const key = place?.repository.key;
      const jobs = key === undefined ? [] : await engine.jobs.list(key);
      const view = {
        engine: url,
        repository: place?.repository.url ?? null,
        ...describeFleet(machines, jobs, key),
      };
      if (out.json) return void out.value(view);
      out.lines(format(view, out));
    } finally {
      await engine.close();
    }
    return 0;
  },
};

function format(
  { engine, machines, waiting, ended, repository }: FleetJson,
  out: Output,
): string[] {
  const now = Date.now();
  const machineRows = machines.map((it): Cell[] => {
    const { glyph, tone, word } = stateOfMachine(it);
    return [
      { text: glyph, tone },
      { text: it.name },
      { text: word, tone },
      { text: it.items.map(({ id }) => id).join(', '), flexible: true },
      { text: `${it.busy}/${count(it.jobs, 'slot')}`, isFigure: true },
      { text: it.labels.join(','), tone: 'quiet' },
      { text: `claude ${it.clientVersion}`, tone: 'quiet' },
      { text: `seen ${formatAgo(it.seenAt, now)}`, tone: 'quiet' },
    ];
  });
  const active = machines.flatMap(({ name, items }) =>
    items.map((it) => ({ ...it, machine: name })),
  );
  const activeRows = active.map((it): Cell[] => [
    { text: STATES.running.glyph, tone: STATES.running.tone },
    { text: it.id, flexible: true },
    { text: it.kind },
    { text: `on ${it.machine}` },
    { text: `since ${formatAgo(it.since, now)}`, tone: 'quiet' },
  ]);
  const endedRows = ended.map((it): Cell[] => [
    { text: it.outcome === 'done' ? '✓' : '!', tone: it.outcome === 'done' ? 'done' : 'needs-you' },
    { text: it.id },
    { text: it.outcome },
    { text: it.reason, flexible: true },
    { text: it.machine === null ? '' : `on ${it.machine}`, tone: 'quiet' },
    { text: formatAgo(it.endedAt, now), tone: 'quiet' },
  ]);
  const rowsOf = (rows: Cell[][]) => formatRows(rows, out).map((row) => row.trimEnd());
  return [
    out.paint('quiet', engine),
    ...(machines.length === 0
      ? ['No machine is in the fleet. Start one: saga agent']
      : rowsOf(machineRows)),
    ...machines.flatMap(({ name, trouble }) =>
      trouble === null
        ? []
        : hang(
            `${out.paint('needs-you', '!')} ${name} takes no new work: `,
            cleanLine(trouble),
            out.width,
          ),
    ),
    '',
    ...(repository === null
      ? ['In a project, saga fleet also shows what is queued and who works on what.']
      : active.length + waiting.length === 0
        ? ['Nothing is queued. Hand something over: saga run <story or epic> --engine']
        : rowsOf(activeRows)),
    ...waiting.flatMap((it) =>
      hang(
        `${out.paint('quiet', '·')} ${it.id}  queued ${formatAgo(it.queuedAt, now)}: `,
        cleanLine(it.why),
        out.width,
      ),
    ),
    ...(ended.length === 0 ? [] : ['', ...rowsOf(endedRows)]),
  ];
}
