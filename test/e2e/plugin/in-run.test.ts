import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createProject, type Project } from '../../rig/project/project.ts';

let it: Project;
beforeAll(() => {
  it = createProject();
  it.story('cart');
  it.story('other');
});
afterAll(() => it[Symbol.dispose]());

/** Calls saga as a command of a run on story cart does. */
function call(args: string[], cwd = it.root) {
  const run = { SAGA_RUN_ID: randomUUID(), SAGA_STORY_ID: 'cart', SAGA_PROJECT_DIR: it.root };
  return runProgram(SAGA, args, { cwd, env: { ...it.env, ...run } });
}

describe('inside a run saga refuses what changes the plan, the settings or a worker', () => {
  test.each([
    'config gate.verify true',
    'create --title Easy --task One',
    'edit cart',
    'archive other',
    'resolve cart --with Yes',
    'feedback cart Fine',
    'update cart',
    'stop cart',
    'recover --discard cart --yes',
    'trash restore cart',
    'delete other --yes',
    'run other',
    'gate cart',
    'init',
    'journal cart add --kind Resolution --title Port',
    'journal cart add --kind Feedback --title Port',
    'journal other add --title Note',
  ])('saga %s', async (words) => {
    const { code, stderr } = await call(words.split(' '));
    expect(stderr).toContain('[in-run]');
    expect(stderr).toContain('write a Blocker into the journal');
    expect(code).toBe(1);
  });

  test('also from a folder that is in no project', async () => {
    const { code, stderr } = await call(['config', 'gate.verify', 'true'], it.folder);
    expect(stderr).toContain('[in-run]');
    expect(code).toBe(1);
    expect(it.git('status', '--short', '.saga/config.json')).toBe('');
  });
});

test.each([
  'status',
  'config gate.verify',
  'show cart',
  'journal cart',
  'journal cart add --title A',
])('a run may call saga %s', async (words) => {
  const { code, stderr } = await call(words.split(' '));
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test('a project that the run made itself is not protected', async () => {
  using own = createProject();
  const { code, stderr } = await call(['config', 'gate.verify', 'true'], own.root);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const fresh = join(it.folder, 'fresh');
  mkdirSync(fresh);
  it.gitIn(fresh, 'init', '-q');
  expect((await call(['init'], fresh)).stderr).toBe('');
});
