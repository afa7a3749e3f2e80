import type { FleetEnd, FleetJob, FleetMachine } from '@saga-ai/types/screens/fleet-view';
import { count } from '@saga-ai/types/words/amounts';
import type { JobState, Machine } from './engine.ts';
import { formatVersionLabel, parseVersionLabel } from './version-label.ts';

export interface FleetParts {
  machines: FleetMachine[];
  waiting: FleetJob[];
  ended: FleetEnd[];
}

const MOST_ENDED = 10;

/**
 * Describes which machine works on what, and why jobs wait. `jobs` are those of one repository; outside of a project
 * the list is empty.
 */
export function describeFleet(
  machines: readonly Machine[],
  jobs: readonly JobState[],
  repositoryKey: string | undefined,
): FleetParts {
  const views = machines.map((it) => describeMachine(it, jobs, repositoryKey));
  return {
    machines: views,
    waiting: jobs
      .filter(({ state }) => state === 'queued')
      .toSorted((a, b) => (a.queuedAt < b.queuedAt ? -1 : 1))
      .map((job) => ({
        id: job.id,
        kind: job.kind,
        needs: listLabels(job.needs),
        by: job.by,
        queuedAt: job.queuedAt,
        why:
          explainWait(job, machines, repositoryKey) ?? 'a machine is free and takes it in a moment',
      })),
    ended: jobs
      .flatMap(({ id, kind, machine = null, endedAt, end }): FleetEnd[] =>
        endedAt === undefined || end === undefined
          ? []
          : [{ id, kind, machine, endedAt, outcome: end.kind, reason: end.reason }],
      )
      .toSorted((a, b) => (a.endedAt < b.endedAt ? 1 : -1))
      .slice(0, MOST_ENDED),
  };
}

function describeMachine(
  machine: Machine,
  jobs: readonly JobState[],
  repositoryKey: string | undefined,
): FleetMachine {
  const { name, labels, sagaVersion, clientVersion, since, seenAt, trouble } = machine;
  const items = jobs.flatMap((job) =>
    job.state === 'active' && job.machine === name
      ? [{ id: job.id, kind: job.kind, since: job.takenAt ?? job.queuedAt, lease: job.lease ?? 0 }]
      : [],
  );
  const state = judge(machine, items.length > 0);
  return {
    name,
    state,
    trouble: state === 'unfit' && trouble !== undefined ? trouble : null,
    labels: listLabels(labels),
    jobs: machine.jobs,
    busy: machine.busy,
    sagaVersion,
    clientVersion,
    since,
    seenAt,
    isForUs: isFor(machine, repositoryKey),
    items,
  };
}

function judge({ isAlive, wish, trouble, busy }: Machine, hasItems: boolean) {
  if (!isAlive) return 'lost';
  if (wish !== 'work') return wish;
  if (trouble !== undefined) return 'unfit';
  return busy > 0 || hasItems ? 'working' : 'idle';
}

/** Says why nobody has taken a queued job, and what would help. Returns undefined if a machine is free for it. */
export function explainWait(
  { needs, kind }: Pick<JobState, 'needs' | 'kind'>,
  machines: readonly Machine[],
  repositoryKey: string | undefined,
): string | undefined {
  const alive = machines.filter(
    (it) => it.isAlive && it.wish !== 'removed' && isFor(it, repositoryKey),
  );
  if (alive.length === 0) {
    return 'no machine works for this repository; start one: saga agent';
  }
  const labels = listLabels(needs);
  const labelled = alive.filter((it) => labels.every((label) => it.labels.includes(label)));
  if (labelled.length === 0) {
    const missing = labels.filter((label) => !alive.some((it) => it.labels.includes(label)));
    const what = missing.length > 0 ? missing : labels;
    return `no machine has ${what.length === 1 ? `the label ${what[0]}` : `all of the labels ${what.join(', ')}`}; start one: saga agent ${what.map((it) => `--label ${it}`).join(' ')}`;
  }
  const version = needs.flatMap((label) => parseVersionLabel(label) ?? [])[0];
  const fitting = labelled.filter(
    ({ sagaVersion }) =>
      version === undefined || formatVersionLabel(sagaVersion) === formatVersionLabel(version),
  );
  if (fitting.length === 0) {
    const others = [...new Set(labelled.map(({ sagaVersion }) => sagaVersion))].join(', ');
    return `it needs SAGA ${version}, and the machines that fit have ${others}; update them, or hand it over with their version`;
  }
  const wanted = fitting.filter(({ wish }) => wish === 'work');
  const open = wanted.filter(({ trouble }) => trouble === undefined);
  if (open.length === 0) {
    const names = fitting.map(
      ({ name, wish, trouble }) => `${name} (${wish === 'work' ? trouble : wish})`,
    );
    const help =
      wanted.length === 0 ? `saga fleet resume ${fitting[0]?.name}` : 'put that right there';
    return `every machine that fits is held back: ${names.join(', ')}; ${help}`;
  }
  const isBusy = kind === 'story' && open.every(({ busy, jobs }) => busy >= jobs);
  if (!isBusy) return undefined;
  const slots = open.reduce((sum, { jobs }) => sum + jobs, 0);
  return `${slots === 1 ? 'the only slot' : `all ${count(slots, 'slot')}`} of ${open.map(({ name }) => name).join(', ')} ${slots === 1 ? 'is' : 'are'} taken`;
}

const isFor = ({ repositories }: Machine, key: string | undefined) =>
  key !== undefined && repositories.some((it) => it.key === key);

/** Labels that people gave; the one with the version is SAGA's own. */
const listLabels = (labels: readonly string[]) =>
  labels.filter((label) => parseVersionLabel(label) === undefined);
