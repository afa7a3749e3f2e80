import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_ACCOUNT } from '@saga-ai/core/agents/claude/account/account-settings';
import { buildAskInvocation } from '@saga-ai/core/agents/claude/ask-invocation';
import { lintPlan } from '@saga-ai/core/lint/lint-plan';
import { writePlan } from '@saga-ai/core/plan-text/write-plan';
import { buildPlanPrompt } from '@saga-ai/core/shaper/shaper-prompt';
import type { Policy } from '@saga-ai/model';
import { toJsonSchema } from '@saga-ai/types/json-schema';
import { EpicDraft } from '@saga-ai/types/plan/draft';
import { build } from 'esbuild';
import { test } from 'vitest';
import { type RunOptions, runCommand, SAGA } from '../../rig/programs/run-program.ts';
import { createTempFolder } from '../../rig/project/temp-folder.ts';
import { draftEpic, draftStory } from '../../rig/worker/shaper-answers.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';
import { expectFast } from '../measure/budget.ts';

const STORIES = 1000;

const PLAN = EpicDraft.parse({
  ...{ id: 'large', title: 'A large epic', description: 'Many stories.' },
  stories: Array.from({ length: STORIES }, (_, i) => ({
    ...{ id: `story-${i}`, title: `Story ${i}`, blockedBy: i % 10 === 0 ? [] : [`story-${i - 1}`] },
    description: `What is in src/module-${i}, and what is missing.\n\n- one\n- two`,
    ...{ guidance: 'Plain functions.', doneWhen: 'npm test passes.', verify: 'npm test' },
    writeFiles: [`src/module-${i}/**`, `test/module-${i}.test.ts`],
    tasks: ['tests', 'code', 'docs'].map((id, n, all) => ({
      ...{ id, subject: `Write the ${id} of ${i}`, description: `In src/module-${i}/${id}.ts.` },
      ...{ doneWhen: 'It is there.', blockedBy: all.slice(n - 1, n) },
    })),
  })),
});

/** What a process does with the plan, as the command does: it loads the parser, reads and checks. */
const PROGRAM = `
import { readFileSync } from 'node:fs';
import { readPlan } from '@saga-ai/core/plan-text/read-plan';
import { readDraft } from '@saga-ai/core/authoring/read-draft';
const { draft, slips } = readPlan(readFileSync(process.argv[2], 'utf8'));
const result = readDraft(draft);
if (slips.length > 0 || 'problems' in result || result.files.stories.length !== ${STORIES}) process.exit(1);
const { user, system } = process.cpuUsage();
process.stdout.write(String((user + system) / 1000));
`;

test('a Markdown plan of 1,000 stories is parsed and checked, processor time over bare node', async () => {
  using folder = createTempFolder();
  const plan = join(folder.path, 'plan.md');
  const [bare, reader] = ['bare.cjs', 'read.cjs'].map((name) => join(folder.path, name));
  writeFileSync(plan, writePlan(PLAN));
  writeFileSync(
    bare ?? '',
    'const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000));',
  );
  const stdin = { contents: PROGRAM, resolveDir: 'packages/cli' };
  await build({ stdin, bundle: true, minify: true, platform: 'node', outfile: reader ?? '' });
  const measure = async (program = '') => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { code, stderr, stdout } = await runCommand(process.execPath, [program, plan]);
      times.push(Number(stdout));
      if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}`);
    }
    return Math.min(...times);
  };
  expectFast((await measure(reader)) - (await measure(bare)), 500);
});

test('10,000 stories are judged, processor time', () => {
  const copies = Array.from({ length: 10 }, (_, copy) =>
    PLAN.stories.map(({ tasks, blockedBy, ...story }) => ({
      story: { ...story, id: `${story.id}-${copy}`, epic: 'large' },
      tasks,
      blockedBy: blockedBy.map((id) => `${id}-${copy}`),
    })),
  ).flat();
  const children = copies.map(({ story, blockedBy }) => ({ id: story.id, blockedBy }));
  const epics = [{ id: 'large', title: 'Large', description: '', children }];
  const start = process.cpuUsage();
  lintPlan({ stories: copies, epics, verify: null });
  const { user, system } = process.cpuUsage(start);
  expectFast((user + system) / 1000, 1000);
});

test('saga plan, processor time over Claude Code alone with the same question', async () => {
  const answer = draftEpic(draftStory('mail'), draftStory('form', ['mail']));
  // One answer for every start of the client.
  const policy: Policy = ({ callsSincePrompt, isSideQuestion }) =>
    isSideQuestion || callsSincePrompt.length > 0
      ? { text: 'Done.' }
      : { calls: [{ tool: 'StructuredOutput', input: answer }] };
  await using it = await createWorkshop({ model: { policy } });
  const env = { ...it.environment, NODE_COMPILE_CACHE: join(it.home, 'compile-cache') };
  const { $schema: _, ...schema } = toJsonSchema('epic-draft');
  const alone = () => {
    const { args, env: own } = buildAskInvocation({
      ...{ version: '2.1.325', account: NO_ACCOUNT, model: 'opus', maxUsd: 5, schema },
      ...{ sessionId: randomUUID(), isContinued: false, inherited: env },
    });
    const input = buildPlanPrompt('Reset', []);
    return measureProcessor(['claude', ...args], { cwd: it.root, env: { ...env, ...own }, input });
  };
  const planned = () =>
    measureProcessor([process.execPath, SAGA, 'plan', 'Reset', '--json'], { cwd: it.root, env });
  // The first of each fills caches.
  const times = { alone: [] as number[], planned: [] as number[] };
  for (let i = 0; i < 4; i++) {
    times.alone.push(await alone());
    times.planned.push(await planned());
  }
  expectFast(Math.min(...times.planned) - Math.min(...times.alone), 1000);
});

/** The milliseconds of processor time that a command and everything it waited for took. */
async function measureProcessor(command: string[], options: RunOptions): Promise<number> {
  const script = '"$@" > /dev/null || exit; times';
  const { code, stdout, stderr } = await runCommand(
    'sh',
    ['-c', script, 'sh', ...command],
    options,
  );
  if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}`);
  // The second line is of the children: user and system time, such as 0m1.230s.
  const amounts =
    stdout
      .trim()
      .split('\n')
      .at(-1)
      ?.match(/(\d+)m([\d.]+)s/g) ?? [];
  const toMs = (text: string) => {
    const [minutes = 0, seconds = 0] = text.replace('s', '').split('m').map(Number);
    return (minutes * 60 + seconds) * 1000;
  };
  return amounts.reduce((sum, it) => sum + toMs(it), 0);
}
