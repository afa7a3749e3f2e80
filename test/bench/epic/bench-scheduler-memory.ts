import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { runEpicSession } from '@saga-ai/core/epic/epic-session';
import type { Launcher } from '@saga-ai/core/sessions/launcher';
import { completeStory } from '../../rig/project/done.ts';
import { openPlanFiles } from '../../rig/project/plan-files.ts';
import { createProject, type Project } from '../../rig/project/project.ts';
import { formatTable } from '../measure/table.ts';
import type { Target } from '../measure/targets.ts';

const STORIES = 200;
const LAYERS = 10;
const FROM = 50;
/** Megabytes. What 150 further stories may add to the heap. */
const AT_MOST = 5;

/** The memory of a scheduler over many stories, whose workers are done at once. Merges are real. */
export async function benchSchedulerMemory(): Promise<{ table: string; targets: Target[] }> {
  using project = createProject({ tasks: ['one'] });
  writeEpic(project);
  const {
    storyId: _,
    emit: __,
    agent: ___,
    lifeline: ____,
    network: _____,
    ...order
  } = project.worker({ pullRequest: { mode: 'off' } });
  const heap: number[] = [];
  const end = await runEpicSession({
    ...order,
    epicId: 'big',
    launcher: createQuickLauncher(project),
    options: { jobs: 4, failFast: false, noWait: true, flags: {} },
    outputFile: join(project.folder, 'saga-epic-big-1.jsonl'),
    tmux: false,
    listen(event) {
      if (event.type === 'epic:merged') heap.push(measureHeap());
    },
  });
  if (end.kind !== 'done' || heap.length !== STORIES) {
    throw new Error(`The epic ended after ${heap.length} merges: ${end.reason}`);
  }
  const [early = Number.NaN, late = Number.NaN] = [FROM, STORIES].map((n) => heap[n - 1]);
  const grown = late - early;
  const megabytes = (value: number) => `${value.toFixed(1)} MB`;
  return {
    table: formatTable([
      [`the scheduler of an epic of ${STORIES} stories`, 'heap'],
      [`after ${FROM} merges`, megabytes(early)],
      [`after ${STORIES} merges`, megabytes(late)],
    ]),
    targets: [
      {
        about: `scheduler: heap that ${STORIES - FROM} further stories add`,
        found: megabytes(grown),
        limit: megabytes(AT_MOST),
        met: grown <= AT_MOST,
      },
    ],
  };
}

function writeEpic(project: Project): void {
  const width = STORIES / LAYERS;
  const ids = Array.from({ length: STORIES }, (_, i) => `story-${i}`);
  const children: Record<string, string[]> = {};
  for (const [i, id] of ids.entries()) {
    children[id] = i < width ? [] : [ids[i - width] ?? ''];
    project.story(id, { epic: 'big' }, { one: {} });
  }
  project.epic('big', children);
  project.git('add', '-A');
  project.git('commit', '-q', '-m', 'Plan');
  project.git('push', '-q', 'origin', 'main');
}

/** Makes the branch of a story as a worker leaves it whose gate passed, and ends. */
function createQuickLauncher({ folder, git, gitIn }: Project): Launcher {
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch);
  git('worktree', 'add', '-q', '--detach', scratch);
  const files = openPlanFiles(scratch, ['one']);
  return {
    async start(storyId) {
      gitIn(scratch, 'checkout', '-q', '--detach', 'epic/big');
      completeStory(files, storyId, { head: gitIn(scratch, 'rev-parse', 'HEAD').trim() });
      gitIn(scratch, 'branch', '-f', `story/${storyId}`, 'HEAD');
      const ended = { kind: 'done', reason: 'all tasks completed', exitCode: 0 } as const;
      return {
        session: `saga-story-${storyId}-1`,
        outputFile: join(folder, `${storyId}.jsonl`),
        ended: Promise.resolve(ended),
        async stop() {},
      };
    },
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function measureHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
