import { findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import type { AgentProgram } from '../../agents/agent.ts';
import { recallVersion } from '../../files/program-version.ts';
import { openGh } from '../../forge/gh.ts';
import { client } from '../../needs/client-needs.ts';
import { gitProgram } from '../../needs/git-needs.ts';
import { GIT_NEEDS, requireNeeds } from '../../needs/list.ts';
import { requireRunnable } from '../../plan/require-runnable.ts';
import { loadStory } from '../../plan/stories.ts';
import { findOnPath } from '../../processes/find-program.ts';
import { requireTrust } from '../../trust/require-trust.ts';
import type { Outcome, Worker } from '../context.ts';

/** The programs a worker needs. */
export interface Ready {
  agent: AgentProgram;
}

/** Checks that everything a story needs is there. Changes nothing. */
export async function preflight(worker: Worker): Promise<Ready | { outcome: Outcome }> {
  const { paths, storyId, config, env, agent, agentHome, emit } = worker;
  emit('preflight:start', { story: storyId });
  const story = requireRunnable(loadStory(paths, storyId));
  // A rehearsal has asked for trust before it began.
  if (!worker.rehearsal) requireTrust(paths, [storyId], env);
  // The scripted model of a rehearsal asks nobody for an account.
  const account = worker.rehearsal ? {} : { agentHome };
  const place = { root: paths.root, config, env, agent, storyId, ...account };
  const [met, gh] = await Promise.all([requireNeeds(place), findGh(worker)]);
  const path = agent.find(config.worker.claudePath, paths.root, env);
  const program = { path, version: met.get(client) ?? '' };
  const blockers = findOpenBlockers(parseJournal(story.journal).entries).map((it) => it.title);
  emit('preflight:passed', {
    claude: program.version,
    git: met.get(gitProgram) ?? '',
    gh: gh ?? null,
    blockers,
  });
  if (blockers.length > 0 && !worker.anyway) {
    return { outcome: { kind: 'needs-you', cause: { kind: 'blocker', titles: blockers } } };
  }
  return { agent: program };
}

/** Checks what the gate alone needs: git and the repository, but no client. Changes nothing. */
export async function preflightGate(worker: Worker): Promise<void> {
  const { paths, storyId, config, env, agent } = worker;
  requireRunnable(loadStory(paths, storyId));
  requireTrust(paths, [storyId], env);
  const place = { root: paths.root, config, env, agent, storyId };
  await requireNeeds(place, GIT_NEEDS);
}

/** The version of gh; undefined if pull requests are off or gh is not installed. */
async function findGh({ config, paths, env }: Worker): Promise<string | undefined> {
  const path = config.pullRequest.mode === 'auto' ? findOnPath('gh', env) : undefined;
  if (path === undefined) return undefined;
  return recallVersion(paths, path, async () => (await openGh(paths.root, env).version()) ?? '?');
}
