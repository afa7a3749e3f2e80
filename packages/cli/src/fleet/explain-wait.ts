import type { JobState, Machine } from '@saga-ai/core/fleet/engine';
import { parseVersionLabel } from '@saga-ai/core/fleet/version-label';
import { count } from '@saga-ai/types/words/amounts';

/**
 * Says why no machine has taken a queued job, in words. Returns undefined if one is free for it: then it is taken
 * in a moment.
 */
export function explainWait(
  { kind, needs }: Pick<JobState, 'kind' | 'needs'>,
  machines: readonly Machine[],
  jobs: readonly JobState[],
  repositoryUrl: string,
): string | undefined {
  const alive = machines.filter((it) => it.isAlive && it.wish !== 'removed');
  if (alive.length === 0) return 'no machine is there; start one: saga agent';
  const here = alive.filter((it) => it.repositories.includes(repositoryUrl));
  if (here.length === 0) return 'no machine works on this repository; start one: saga agent';
  const version = needs.flatMap((it) => parseVersionLabel(it) ?? [])[0];
  const labels = needs.filter((it) => parseVersionLabel(it) === undefined);
  const fitting = here.filter((it) =>
    needs.every((need) => parseVersionLabel(need) === undefined || it.labels.includes(need)),
  );
  if (fitting.length === 0) {
    const found = [...new Set(here.map((it) => it.sagaVersion))].join(', ');
    return `it was handed over by SAGA ${version}, and the machines have ${found}; versions must agree in their first two numbers`;
  }
  const able = fitting.filter((it) => labels.every((label) => it.labels.includes(label)));
  if (able.length === 0) {
    const lacking = labels.filter((label) => !fitting.some((it) => it.labels.includes(label)));
    return lacking.length > 0
      ? `no machine has the label ${lacking.join(', ')}`
      : `no machine has all of the labels ${labels.join(', ')}`;
  }
  const working = able.filter((it) => it.wish === 'work');
  if (working.length === 0) {
    const names = able.map((it) => it.name).join(', ');
    return `${names} ${able.length === 1 ? 'takes' : 'take'} no new work; saga fleet resume`;
  }
  if (kind === 'epic') return undefined;
  const isBusy = (it: Machine) =>
    jobs.filter((job) => job.state === 'active' && job.kind === 'story' && job.machine === it.name)
      .length >= it.jobs;
  if (!working.every(isBusy)) return undefined;
  return working.length === 1
    ? `${working[0]?.name} is busy`
    : `all ${count(working.length, 'machine')} are busy`;
}
