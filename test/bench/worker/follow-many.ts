import { readFileSync } from 'node:fs';
import { claude } from '@saga-ai/core/agents/claude/agent';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import { buildPaths } from '@saga-ai/core/project/paths';
import type { Worker } from '@saga-ai/core/worker/context';
import { followStory } from '@saga-ai/core/worker/follow/follow-story';

/** Follows the pull requests of stories, and says with every message how much processor time that took so far. */
const [root = '', seconds = '', ...stories] = process.argv.slice(2);
const paths = buildPaths(root);
const usual = loadConfigOrDefaults(paths, { environment: process.env });
const pullRequest = { ...usual.pullRequest, follow: true, followSeconds: Number(seconds) };

process.on('message', () => {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  // Of this process and of the programs that it started, in hundredths of a second.
  const ticks = fields.slice(11, 15).reduce((sum, it) => sum + Number(it), 0);
  process.send?.(ticks * 10);
});
process.on('disconnect', () => process.exit());

const passed = { kind: 'done', cause: { kind: 'done' } } as const;
for (const storyId of stories) {
  const worker: Partial<Worker> = {
    ...{ paths, storyId, env: process.env, agent: claude },
    config: { ...usual, pullRequest },
    deadline: Date.now() + 3_600_000,
    stop: new AbortController().signal,
    emit: () => {},
  };
  void followStory(worker as Worker, passed, async () => {
    throw new Error('Nothing asks for work here.');
  });
}
