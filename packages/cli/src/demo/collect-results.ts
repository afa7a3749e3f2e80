import { openGit } from '@saga-ai/core/git/git';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { verifyEvidence } from '@saga-ai/core/worker/gate/verify-evidence';
import type { StoryView } from '@saga-ai/types/screens/overview';
import type { DemoFolder } from './demo-folder.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

/** What a story produced, read from git and from its files at the end. */
export interface StoryResult {
  id: string;
  state: StoryView['state'];
  progress: StoryView['progress'];
  branch: string | null;
  commits: number;
  /** The verify command of the story, and whether `saga verify` confirms the gate. */
  evidence: { command: string; holds: boolean } | null;
  question: string | null;
  /** Any other reason why the story waits for a person. */
  trouble: string | null;
  waitsFor: string[];
}

export async function collectResults(demo: DemoFolder): Promise<StoryResult[]> {
  const { stories } = await loadOverview(demo.paths, demo.env);
  const byId = new Map(stories.map((story) => [story.id, story]));
  const results: StoryResult[] = [];
  for (const { id } of SAMPLE_PLAN.stories) {
    const story = byId.get(id);
    if (story) results.push(await describe(demo, story));
  }
  return results;
}

async function describe(demo: DemoFolder, story: StoryView): Promise<StoryResult> {
  const { id, state, progress, branch, blockedBy, needsYou } = story;
  return {
    id,
    state,
    progress,
    branch,
    commits: branch === null ? 0 : await countCommits(demo, branch),
    evidence: state === 'done' ? await lookAgain(demo, id) : null,
    question: needsYou?.find((it) => it.kind === 'blocker')?.title ?? null,
    trouble: needsYou?.find((it) => it.kind !== 'blocker')?.title ?? null,
    waitsFor: blockedBy,
  };
}

/** Counts only the commits made on the branch itself, not those that were merged into it. */
async function countCommits({ paths, env }: DemoFolder, branch: string): Promise<number> {
  const git = openGit(paths.root, env);
  const reflog = await git.attempt(['rev-list', '-g', branch]);
  const start = reflog.stdout.trim().split('\n').at(-1) ?? '';
  return Number(await git.run(['rev-list', '--count', `${start}..${branch}`]));
}

async function lookAgain({ paths, env }: DemoFolder, id: string): Promise<StoryResult['evidence']> {
  const { evidence, holds } = await verifyEvidence(paths, id, [], env);
  return { command: evidence.verify?.command ?? '', holds };
}
