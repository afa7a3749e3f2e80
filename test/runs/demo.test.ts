import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createStranger, type Stranger } from '../rig/client/stranger.ts';
import { runCommand } from '../rig/programs/run-program.ts';
import { expectJson } from '../rig/screens/expect-json.ts';

const PACKAGE = resolve('packages/cli');

/** As it would come from the registry: packed, and installed without a network. */
async function install(it: Stranger): Promise<void> {
  const packed = await runCommand('npm', ['pack', '--silent', '--pack-destination', it.temp], {
    cwd: PACKAGE,
    env: { HOME: it.home },
  });
  expect(packed.code, packed.stderr).toBe(0);
  const tarball = join(it.temp, packed.stdout.trim());
  const flags = ['--offline', '--omit=optional', '--no-audit', '--no-fund'];
  const installed = await it.run('npm', ['install', ...flags, tarball]);
  expect(installed.code, installed.stderr).toBe(0);
}

/** Packages and compiled code are kept by npm and Node themselves. */
const leftIn = ({ temp }: Stranger) =>
  readdirSync(temp).filter((name) => !name.endsWith('.tgz') && name !== 'node-compile-cache');

test('the packed package shows its demo in an empty folder, and every claim it prints is true', async () => {
  using it = createStranger();
  await install(it);
  const { code, stdout, stderr } = await it.run(
    'npx',
    ['saga', 'demo', '--headless', '--keep'],
    {},
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const demo = /kept: (\S+)/.exec(stdout)?.[1] ?? '';
  const repository = join(demo, 'till');
  const launcher = join(demo, 'saga');
  const saga = async (...args: string[]) => (await it.run(launcher, args)).stdout;
  const git = async (...args: string[]) =>
    (await it.run('git', ['-C', repository, ...args])).stdout.trim().split('\n');
  expect(stdout).toContain(`repository  ${repository}`);

  // Branches and commits, also on the remote.
  const told = [...stdout.matchAll(/^. (\w+) +\d\/\d +(\d+) commits? /gm)];
  expect(told.map(([, id]) => id)).toEqual(['money', 'cart', 'discounts', 'receipt', 'tax']);
  for (const [, id, commits] of told) {
    const reflog = await git('rev-list', '-g', `story/${id}`);
    const made = await git('rev-list', `${reflog.at(-1)}..origin/story/${id}`);
    expect(`${id} ${made.length}`).toBe(`${id} ${commits}`);
  }
  const total = told.reduce((sum, [, , commits]) => sum + Number(commits), 0);
  expect(stdout).toContain(
    `5 branches with ${total} commits · 4 merged into epic/till after their checks passed`,
  );
  const merges = await git('log', '--merges', '--reverse', '--format=%s', 'origin/epic/till');
  const merge = (id: string) => `Merge story/${id} into epic/till`;
  expect(merges.at(0)).toBe(merge('money'));
  expect(merges.slice(1, 3).toSorted()).toEqual([merge('cart'), merge('discounts')]);
  expect(merges.slice(3)).toEqual([merge('receipt')]);

  // Stories at the same time, and a page of the run.
  const lines = stdout.split('\n');
  const at = (text: string) => lines.findIndex((it) => it.includes(text));
  const begun = ['cart', 'discounts', 'tax'].map((id) => at(`● ${id}  started`));
  const first = Math.min(...['✓ cart  all', '✓ discounts  all', '! tax  needs'].map(at));
  expect(Math.min(...begun)).toBeGreaterThan(at('✓ money  merged into epic/till'));
  expect(begun.toSorted((a, b) => a - b)[1]).toBeLessThan(first);
  expect(stdout).toMatch(/page {8}http:\/\/127\.0\.0\.1:\d+\/epics\/till\?token=/);

  // Evidence, tests, the program itself. Each merge was verified, also that of a story beside another.
  const log = await saga('logs', 'till', '--raw', '--all');
  const proofs = [...log.matchAll(/"verified":"(\w+)"/g)].map(([, proof]) => proof);
  expect(proofs).toEqual(['gate', 'gate', 'verify', 'gate']);
  for (const id of ['money', 'cart', 'discounts', 'receipt']) {
    expect(stdout).toMatch(new RegExp(`✓ ${id} .*gate passed`));
    expect(await saga('verify', id)).toContain('gate passed, nothing changed since');
  }
  const merged = join(demo, 'merged');
  expect(stdout).toContain(`merged      ${merged}`);
  const tests = await it.run('npm', ['test', '--silent', '--prefix', merged], { cwd: merged });
  const passed = /pass (\d+)/.exec(tests.stdout)?.[1];
  expect(stdout).toContain(`tests that pass: 0 before, ${passed} of 10 now`);
  const till = await it.run('node', ['src/till.js', '2 tea 3.20', '--code', 'SPRING'], {
    cwd: merged,
  });
  expect(till.stdout).toMatch(/total +5\.76/);
  expect(stdout).toMatch(/total +17\.01/);

  // The question, and how to answer it: the printed command, literally.
  expect(stdout).toContain('tax asks: Which tax rate do books have?');
  expect(stdout).toMatch(/◌ invoice +0\/1 +waits for tax/);
  expect(await saga('blockers')).toContain('Which tax rate do books have?');
  const answer = /→ (.+ resolve tax .+)/.exec(stdout)?.[1] ?? '';
  expect((await it.run('sh', ['-c', answer])).code).toBe(0);
  expect(await saga('blockers')).not.toContain('Which tax rate');
  expect(await saga('status')).toMatch(/till {2}epic .* 4\/6 stories/);

  // Nothing outside its folder.
  expect(leftIn(it)).toEqual([demo.split('/').at(-1)]);
  expect(readdirSync(it.home)).toEqual(['.npm']);
  expect(it.processes()).toEqual([]);
  expect(stdout).toMatch(/[\d.]+ s for the stories/);
  const bundles = ['dist/saga.cjs', 'dist/cli.cjs'].map((file) =>
    readFileSync(join(it.folder, 'node_modules/@saga-ai/cli', file), 'utf8'),
  );
  expect(bundles.filter((text) => text.includes(resolve('.')))).toEqual([]);
});

test('without tmux and gh it runs too, and when it is interrupted nothing is left', async () => {
  using it = createStranger({ without: ['tmux', 'gh'] });
  const saga = resolve('packages/cli/dist/saga.cjs');
  const child = spawn(process.execPath, [saga, 'demo', '--headless'], {
    cwd: it.folder,
    env: it.environment,
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  const poll = { interval: 10 };
  await expect.poll(() => stdout, poll).toContain('cart  started');
  // Its scheduler and client, which has to start before it can do anything.
  await expect.poll(() => it.processes().length, poll).toBeGreaterThan(2);
  child.kill('SIGINT');
  expect(await ended).toBe(2);
  expect(stdout).toContain('tmux is not installed, so the workers run inside the scheduler');
  expect(stdout).toContain('✓ money  all tasks completed, gate passed');
  expect(stdout).toContain('cart  stopped');
  expect(it.processes()).toEqual([]);
  expect(leftIn(it)).toEqual([]);
  expect(existsSync(join(it.home, '.claude'))).toBe(false);
});

test('for scripts its report is one value, of the declared form', async () => {
  using it = createStranger();
  const saga = resolve('packages/cli/dist/saga.cjs');
  const { code, stdout, stderr } = await it.run('node', [saga, 'demo', '--json'], {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  await expectJson('demo', stdout);
});

test('without git, or on an old Node, it says what to do and leaves nothing', async () => {
  using it = createStranger({ without: ['git'] });
  const saga = resolve('packages/cli/dist/saga.cjs');
  const { code, stderr } = await it.run('node', [saga, 'demo', '--headless']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/git was not found.*\[missing-program\]\n {2}Install git/),
  });
  expect(leftIn(it)).toEqual([]);
});
