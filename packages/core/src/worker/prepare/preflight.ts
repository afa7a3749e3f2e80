import { findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import { type Claude, findClaude } from '../../agents/claude/claude.ts';
import { recallVersion } from '../../agents/claude/program-version.ts';
import { openGh } from '../../forge/gh.ts';
import { client } from '../../needs/client-needs.ts';
import { gitProgram } from '../../needs/git-needs.ts';
import { requireNeeds } from '../../needs/list.ts';
import { requireRunnable } from '../../plan/require-runnable.ts';
import { loadStory } from '../../plan/stories.ts';
import { findOnPath } from '../../processes/find-program.ts';
import type { Outcome, Worker } from '../context.ts';

/** What a worker relies on. */
export interface Ready {
  claude: Claude;
  /** Missing when pull requests are not wanted, or gh is not there. */
  gh?: string;
}

/** Looks whether all is there that a story needs. Nothing is changed, whatever it finds. */
export async function preflight(worker: Worker): Promise<Ready | { outcome: Outcome }> {
  const { paths, storyId, config, env, emit } = worker;
  emit('preflight:start', { story: storyId });
  const story = requireRunnable(loadStory(paths, storyId));
  const place = { root: paths.root, config, env, storyId };
  const [met, gh] = await Promise.all([requireNeeds(place), findGh(worker)]);
  const path = findClaude(config.worker.claudePath, paths.root, env);
  const claude = { path, version: met.get(client) ?? '' };
  const blockers = findOpenBlockers(parseJournal(story.journal).entries).map((it) => it.title);
  emit('preflight:passed', {
    claude: claude.version,
    git: met.get(gitProgram) ?? '',
    gh: gh ?? null,
    blockers,
  });
  if (blockers.length > 0 && !worker.anyway) {
    return { outcome: { kind: 'needs-you', cause: { kind: 'blocker', titles: blockers } } };
  }
  return { claude, ...(gh === undefined ? {} : { gh }) };
}

async function findGh({ config, paths, env }: Worker): Promise<string | undefined> {
  const path = config.pullRequest.mode === 'auto' ? findOnPath('gh', env) : undefined;
  if (path === undefined) return undefined;
  return recallVersion(paths, path, async () => (await openGh(paths.root, env).version()) ?? '?');
}
