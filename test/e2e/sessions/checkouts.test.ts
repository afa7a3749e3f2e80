import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { openPlanFiles } from '../../rig/project/plan-files.ts';
import { createProject, type Project } from '../../rig/project/project.ts';
import { startSilentWorker } from '../../rig/worker/silent-worker.ts';

/** A project with a second checkout, as a person or `claude -w` makes it. */
function createCheckouts(): Project & { linked: string } {
  const it = createProject();
  it.story('cart', {}, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-qm', 'The plan');
  const linked = join(it.root, '.claude/worktrees/feature');
  it.git('worktree', 'add', '-q', '-b', 'feature', linked);
  return { ...it, linked };
}

async function saga(it: Project, cwd: string, ...args: string[]) {
  const env = { ...it.env, SAGA_SESSION_DIR: join(it.folder, 'sessions') };
  return runProgram(SAGA, args, { cwd, env });
}

const stateOf = async (it: Project, cwd: string) =>
  JSON.parse((await saga(it, cwd, 'list', '--json')).stdout).stories[0];

test.each([
  ['main', (it: { linked: string }) => it.linked],
  ['linked', (it: { root: string }) => it.root],
] as const)(
  'while a worker of the %s checkout lives, the other one shows it and starts no second',
  async (name, otherOf) => {
    using it = createCheckouts();
    const [at, other] = [name === 'main' ? it.root : it.linked, otherOf(it)];
    using _worker = await startSilentWorker(openPlanFiles(at), 'cart');
    expect(await stateOf(it, other)).toMatchObject({ state: 'running', running: true });
    expect((await saga(it, other, 'status')).stdout).toMatch(/● +cart .*Writing endpoint tests/);
    expect((await saga(it, other, 'sessions')).stdout).toMatch(/● cart +running/);
    for (const command of [
      ['run', 'cart', '--trust'],
      ['run', 'cart', '--foreground', '--trust'],
    ]) {
      const { code, stderr } = await saga(it, other, ...command);
      expect(stderr).toContain(`Story cart has a worker already (process ${process.pid}`);
      expect(code).toBe(1);
    }
    expect(it.git('worktree', 'list').trim().split('\n')).toHaveLength(2);
  },
);

test('what a checkout shows says where a worker was started that another one has', async () => {
  using it = createCheckouts();
  using _worker = await startSilentWorker(openPlanFiles(it.root), 'cart');
  expect((await saga(it, it.linked, 'status')).stdout).toContain(`started in ${it.root}`);
  expect((await saga(it, it.linked, 'run', 'cart', '--trust')).stderr).toContain(
    `(process ${process.pid}, started in ${it.root})`,
  );
  expect((await saga(it, it.root, 'status')).stdout).not.toContain('started in');
});

test('what a person tells a story in one checkout reaches its worker in another', async () => {
  using it = createCheckouts();
  using _worker = await startSilentWorker(openPlanFiles(it.root), 'cart');
  expect((await saga(it, it.linked, 'tell', 'cart', 'Use euros.')).code).toBe(0);
  expect(readdirSync(join(it.paths.runs, 'messages/cart'))).toHaveLength(1);
});
