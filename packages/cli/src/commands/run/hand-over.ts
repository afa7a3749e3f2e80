import { SagaError } from '@saga-ai/core/errors';
import { explainWait } from '@saga-ai/core/fleet/describe-fleet';
import type { Job } from '@saga-ai/core/fleet/engine';
import { requirePushed } from '@saga-ai/core/fleet/require-pushed';
import { formatVersionLabel } from '@saga-ai/core/fleet/version-label';
import { findBase } from '@saga-ai/core/git/find-base';
import { loadConfig } from '@saga-ai/core/plan/config';
import { loadStory } from '@saga-ai/core/plan/stories';
import type { RunJson } from '@saga-ai/types/screens/json/run';
import type { Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { repeatEpicOptions } from '../../epic-options.ts';
import { openFleet } from '../../fleet/open-fleet.ts';
import { hang } from '../../output/text.ts';
import { VERSION } from '../../version.ts';
import { readWorkerFlags } from '../../worker-options.ts';
import { listStories, loadItems } from './run-epic.ts';

/** Hands a story or an epic over to the machines of the fleet. */
export async function handOver(
  invocation: Invocation<RunJson>,
  id: string,
  kind: Job['kind'],
): Promise<number> {
  const { paths, out, flag } = invocation;
  if (flag('foreground')) {
    throw new SagaError(
      'usage',
      '--engine hands over to other machines, so --foreground has no meaning with it.',
      `Watch it from here: saga logs -f ${id}`,
    );
  }
  const env = environment.variables();
  await using fleet = await openFleet(paths());
  const { engine, repository, git, remote } = fleet;
  const { config } = loadConfig(paths(), { environment: env });
  const fetch = { emit: () => {} };
  const given = config.worktree.baseBranch ?? undefined;
  const base = { ...(await findBase(git, given, fetch)), remote };
  // An agent's clone has the default branch of the remote checked out, even if stories start from another
  // branch.
  const shared =
    given === undefined ? base : { ...(await findBase(git, undefined, fetch)), remote };
  const items = kind === 'epic' ? loadItems(paths(), id) : [];
  const stories = kind === 'epic' ? listStories(items) : [id];
  const inner = items.filter((it) => it.kind === 'epic').map((it) => it.id);
  await requirePushed(
    { paths: paths(), git, base, shared },
    { stories, epics: kind === 'epic' ? [id, ...inner] : [] },
  );
  const own = kind === 'story' ? (loadStory(paths(), id).story.needs ?? []) : [];
  const job: Job = {
    repository,
    kind,
    id,
    needs: [...own, formatVersionLabel(VERSION)],
    flags: kind === 'story' ? readWorkerFlags(invocation) : {},
    anyway: flag('anyway'),
    epicArguments: kind === 'epic' ? repeatEpicOptions(invocation) : undefined,
    by: environment.hostName(),
  };
  const state = await engine.jobs.offer(job);
  if (out.json) {
    out.value({ story: id, handedOver: state });
    return 0;
  }
  const queued = { id, kind, needs: job.needs };
  const waits = explainWait(queued, await engine.machines.list(), repository.key);
  out.lines([
    state === 'queued'
      ? `${out.paint('running', '▸')} ${out.paint('strong', id)}  handed over to the fleet`
      : `${out.paint('running', '▸')} ${out.paint('strong', id)}  is with the fleet already; nothing was changed`,
    ...(waits === undefined ? [] : hang('  waits    ', waits, out.width)),
    `  watch    saga logs -f ${id} · saga status · saga fleet`,
    `  change   saga stop ${id}${kind === 'epic' ? ` · saga pause ${id}` : ''}`,
  ]);
  return 0;
}
