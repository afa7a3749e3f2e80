import type { JobState, Machine } from '@saga-ai/core/fleet/engine';
import { hidePassword } from '@saga-ai/core/fleet/engine-url';
import { parseVersionLabel } from '@saga-ai/core/fleet/version-label';
import { openGit } from '@saga-ai/core/git/git';
import { lookForProject } from '@saga-ai/core/project/find-project';
import { buildPaths } from '@saga-ai/core/project/paths';
import type { FleetJson } from '@saga-ai/types/screens/json/fleet';
import { count } from '@saga-ai/types/words/amounts';
import { formatAgo } from '@saga-ai/types/words/times';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { explainWait } from '../../fleet/explain-wait.ts';
import { connect, findRepository, readEngineSettings, requireUrl } from '../../fleet/open-fleet.ts';
import type { Output } from '../../output/output.ts';
import { type Cell, formatRows } from '../../output/rows.ts';
import { hang } from '../../output/text.ts';

export const command: Command<FleetJson> = {
  output: () => import('@saga-ai/types/screens/json/fleet').then((it) => it.FleetJson),
  about: `Lists the machines of the fleet, what each works on, what is queued, and why it waits. In a project, the queue is
that of the project's repository.`,
  examples: ['saga fleet', 'saga fleet list --json'],
  async run({ out, folder }) {
    const project = lookForProject(folder);
    const paths = project ? buildPaths(project.root) : undefined;
    const settings = readEngineSettings(paths);
    const url = hidePassword(requireUrl(settings));
    const place = paths && (await findRepository(openGit(paths.root, environment.variables())));
    const engine = await connect(settings, 'reader', 'saga fleet');
    try {
      const machines = await engine.machines.list();
      const jobs = place ? await engine.jobs.list(place.repository.key) : [];
      const view = buildView(machines, jobs, place?.repository.url ?? null);
      if (out.json) return void out.value({ engine: url, ...view });
      out.lines(format(url, view, out));
    } finally {
      await engine.close();
    }
    return 0;
  },
};

type View = Omit<FleetJson, 'engine'>;

function buildView(
  machines: readonly Machine[],
  jobs: readonly JobState[],
  repository: string | null,
): View {
  const open = jobs.filter((it) => it.state !== 'ended');
  const isActiveAt = (name: string) => (it: JobState) =>
    it.state === 'active' && it.machine === name;
  return {
    repository,
    machines: machines.map(({ labels, repositories, ...rest }) => ({
      ...rest,
      labels: labels.filter((it) => parseVersionLabel(it) === undefined),
      repositories: [...repositories],
      worksOn: open.filter(isActiveAt(rest.name)).map(({ id }) => id),
    })),
    jobs: open.map((job) => {
      const { id, kind, by, queuedAt, takenAt, machine, lease } = job;
      const isQueued = job.state === 'queued';
      const waitsFor =
        isQueued && repository !== null
          ? (explainWait(job, machines, jobs, repository) ??
            'a machine is free and takes it in a moment')
          : undefined;
      return {
        id,
        kind,
        state: isQueued ? ('queued' as const) : ('active' as const),
        needs: job.needs.filter((it) => parseVersionLabel(it) === undefined),
        by,
        queuedAt,
        ...(takenAt === undefined ? {} : { takenAt }),
        ...(machine === undefined ? {} : { machine }),
        ...(lease === undefined ? {} : { lease }),
        ...(waitsFor === undefined ? {} : { waitsFor }),
      };
    }),
  };
}

function format(url: string, { machines, jobs, repository }: View, out: Output): string[] {
  const now = Date.now();
  const rows = formatRows(
    machines.map((it): Cell[] => {
      const look = lookOf(it);
      const work = it.worksOn.length > 0 ? it.worksOn.join(', ') : 'idle';
      return [
        { text: look.glyph, tone: look.tone },
        { text: it.name },
        { text: look.word, tone: look.tone },
        { text: it.isAlive && it.wish === 'work' ? work : '', flexible: true },
        { text: `${count(it.jobs, 'job')}` },
        { text: it.labels.join(','), tone: 'quiet' },
        { text: `claude ${it.clientVersion}`, tone: 'quiet' },
        { text: `seen ${formatAgo(it.seenAt, now)}`, tone: 'quiet' },
      ];
    }),
    out,
  );
  const queued = jobs.filter((it) => it.state === 'queued');
  const active = jobs.filter((it) => it.state === 'active');
  return [
    out.paint('quiet', url),
    ...(machines.length === 0
      ? ['No machine is in the fleet. Start one: saga agent']
      : rows.map((row) => row.trimEnd())),
    ...(repository === null
      ? ['', 'In a project, saga fleet also shows what is queued and who is at what.']
      : active.length + queued.length === 0
        ? ['', 'Nothing is queued. Hand something over: saga run <story or epic> --engine']
        : ['']),
    ...formatRows(
      active.map((it): Cell[] => [
        { text: '▸', tone: 'running' },
        { text: it.id, flexible: true },
        { text: it.kind },
        { text: `on ${it.machine}` },
        { text: it.takenAt === undefined ? '' : formatAgo(it.takenAt, now), tone: 'quiet' },
      ]),
      out,
    ).map((row) => row.trimEnd()),
    ...queued.flatMap((it) =>
      hang(
        `${out.paint('quiet', '·')} ${it.id}  queued ${formatAgo(it.queuedAt, now)}: `,
        it.waitsFor ?? '',
        out.width,
      ),
    ),
  ];
}

function lookOf({ isAlive, wish }: View['machines'][number]) {
  if (!isAlive) return { glyph: '✗', tone: 'needs-you', word: 'gone' } as const;
  if (wish === 'paused') return { glyph: '·', tone: 'quiet', word: 'paused' } as const;
  if (wish === 'draining') return { glyph: '·', tone: 'quiet', word: 'drains' } as const;
  if (wish === 'removed') return { glyph: '·', tone: 'quiet', word: 'leaves' } as const;
  return { glyph: '✓', tone: 'done', word: 'works' } as const;
}
