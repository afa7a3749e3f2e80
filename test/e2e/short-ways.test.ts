import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../rig/programs/run-program.ts';
import { createEvidence, PLAN_ENV } from '../rig/project/done.ts';
import { createPlan, type Plan } from '../rig/project/plan.ts';
import { startSilentWorker } from '../rig/worker/silent-worker.ts';

const run = (plan: Plan, args: string[], input = '') =>
  runProgram(SAGA, args, { cwd: plan.root, env: PLAN_ENV, input });

test.each(['--version', '-v', '-V', 'version'])('saga %s prints the version', async (word) => {
  const version = JSON.parse(readFileSync('packages/cli/package.json', 'utf8')).version;
  expect(await runProgram(SAGA, [word])).toMatchObject({ code: 0, stdout: `${version}\n` });
  expect((await runProgram(SAGA, ['--help'])).stdout).toContain('-v, --version');
});

test('lists by state, tasks in their order, and a setting with its meaning that can be unset', async () => {
  using plan = createPlan();
  plan.story('a', {}, { write: { blockedBy: ['zero'] }, zero: {} });
  plan.story('b', {}, { one: {} });
  plan.write('.saga/stories/b/journal.md', '## Blocker: Which?\n\nOne or two.\n');
  const listed = await run(plan, ['list', '--state', 'needs-you', '--json']);
  expect(JSON.parse(listed.stdout).stories.map(({ id }: { id: string }) => id)).toEqual(['b']);
  const tree = await run(plan, ['tree', 'a']);
  expect(tree.stdout.indexOf('zero')).toBeLessThan(tree.stdout.indexOf('write'));

  plan.write('.saga/config.json', { worker: { model: 'haiku' }, gate: { verify: 'true' } });
  expect((await run(plan, ['config', 'worker.model'])).stdout).toMatch(
    /^worker\.model {2}"haiku" {2}file\n {2}The model, /,
  );
  expect((await run(plan, ['config', '--unset', 'worker.model'])).stdout).toMatch(/default\n/);
  expect(JSON.parse(plan.read('.saga/config.json'))).toEqual({
    worker: {},
    gate: { verify: 'true' },
  });
  const again = await run(plan, ['config', '--unset', 'worker.model']);
  expect(again).toMatchObject({ code: 1 });
  expect(again.stderr).toContain('No settings file sets worker.model.');
});

test('a story whose tasks were tried too often is not started, and what helps is said', async () => {
  using plan = createPlan();
  plan.story('a', {}, { stuck: { escalated: true }, after: { blockedBy: ['stuck'] } });
  const { code, stdout, stderr } = await run(plan, ['run', 'a']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('its task stuck was tried too often.');
  expect(stderr).toContain('saga task reopen --story a stuck');
});

test('a diagram paints only what is done green', async () => {
  using plan = createPlan();
  plan.story('a', {}, { one: { status: 'completed' } });
  plan.write('.saga/stories/a/evidence.json', createEvidence('a', { outcome: 'failed' }));
  plan.story('b');
  plan.done('b');
  const mermaid = await run(plan, ['graph', '--format', 'mermaid']);
  expect(mermaid.stdout).toContain('class n0 needs_you\n  class n1 done\n');
  const dot = await run(plan, ['graph', '--format', 'dot']);
  expect(dot.stdout).toMatch(/"a" \[.*lightpink\];\n {2}"b" \[.*palegreen\];/);
});

test('what helps against several problems is said once', async () => {
  using plan = createPlan();
  const draft = { id: 'x', title: 'X', description: 'd', tasks: [{ id: 't' }] };
  const { stderr } = await run(plan, ['create', '--file', '-'], JSON.stringify(draft));
  expect(stderr.match(/✗/g)).toHaveLength(2);
  expect(stderr.match(/show what is allowed/g)).toHaveLength(1);
});

test('logs without a name are those of the one session that runs', async () => {
  using plan = createPlan();
  for (const id of ['a', 'b']) plan.story(id, {}, { one: {} });
  const idle = await run(plan, ['logs']);
  expect(idle).toMatchObject({ code: 1 });
  expect(idle.stderr).toContain('No session is running.');
  using _a = await startSilentWorker(plan, 'a');
  const one = await run(plan, ['logs', '--raw']);
  expect(one.stdout).toContain('"type":"run:start"');
  using _b = await startSilentWorker(plan, 'b');
  const several = await run(plan, ['stop']);
  expect(several).toMatchObject({ code: 1 });
  expect(several.stderr).toMatch(/Several sessions are running: (a, b|b, a)\./);
});
