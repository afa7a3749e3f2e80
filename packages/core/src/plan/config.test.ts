import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { loadConfig, loadSoundConfig, saveConfigValue } from './config.ts';

test('flags win over the environment, that over the file, that over the defaults', () => {
  using plan = createPlan();
  plan.write('.saga/config.json', { worker: { model: 'sonnet', maxCycles: 4, maxTime: 5 } });
  const { config, origins } = loadConfig(plan.paths, {
    environment: { SAGA_WORKER_MAX_CYCLES: '6', SAGA_WORKER_MAX_TIME: '7.5' },
    flags: { 'worker.maxTime': '9' },
  });
  expect(config.worker).toMatchObject({ model: 'sonnet', maxCycles: 6, maxTime: 9, mode: 'story' });
  const from = ['model', 'maxCycles', 'maxTime', 'mode'].map((key) => origins.get(`worker.${key}`));
  expect(from).toEqual(['file', 'environment', 'flag', 'default']);
});

test.each([
  ['worker.maxTime', '--max-time'],
  ['budget.usd', '--budget-usd'],
])('a wrong value of %s is told with its option %s', (key, option) => {
  using plan = createPlan();
  expect(() => loadConfig(plan.paths, { flags: { [key]: 'abc' } })).toThrow(
    `${option}: "${key}" must be a number`,
  );
});

test.each(['https://a.example/', 'a.example,*', '["a.example", "*"]'])(
  'a wrong entry of a list is told: %s',
  (value) => {
    using plan = createPlan();
    expect(() => loadConfig(plan.paths, { flags: { 'sandbox.domains': value } })).toThrow(
      /"sandbox.domains" must be a host such as registry.npmjs.org or \*.example.com \(found "/,
    );
  },
);

test('a text from outside becomes what the key takes', () => {
  using plan = createPlan();
  const { config } = loadConfig(plan.paths, {
    environment: {
      SAGA_GATE_PROTECTED_FILES: 'a/**, b.json',
      SAGA_PULL_REQUEST_LABELS: 'saga',
      SAGA_GATE_VERIFY: '123',
      SAGA_WORKER_SANDBOX: 'auto',
      SAGA_WORKER_MAX_CYCLES: '7',
      SAGA_WORKER_CLAUDE_PATH: 'null',
    },
  });
  expect(config.gate.protectedFiles).toEqual(['a/**', 'b.json']);
  expect(config.pullRequest.labels).toEqual(['saga']);
  expect(config.gate.verify).toBe('123');
  expect(config.worker.sandbox).toBe('auto');
  expect(config.worker.maxCycles).toBe(7);
  expect(config.worker.claudePath).toBe(null);
});

test.each<[unknown, RegExp, RegExp]>([
  [{ worker: { maxCylces: 1 } }, /"worker.maxCylces" is not a known key/, /worker.maxCycles/],
  [{ wroker: {} }, /"wroker" is not a known key/, /worker/],
  [{ maxCycles: 3 }, /"maxCycles" is not a known key/, /worker.maxCycles/],
  [{ worker: { mode: 'epic' } }, /must be one of story, task/, /saga config/],
])('%j is an error that helps', (file, message, hint) => {
  using plan = createPlan();
  plan.write('.saga/config.json', file);
  expect(() => loadConfig(plan.paths)).toThrow(
    expect.objectContaining({
      code: 'invalid-config',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    }),
  );
});

test('a value is saved beside the others, and a wrong one is not', async () => {
  using plan = createPlan();
  plan.write('.saga/config.json', '{\n  "budget": {"usd": 5},\n  "worker": {"model": "opus"}\n}\n');
  await saveConfigValue(plan.paths, 'worker.maxCycles', '3');
  expect(JSON.parse(readFileSync(plan.paths.config, 'utf8'))).toEqual({
    budget: { usd: 5 },
    worker: { model: 'opus', maxCycles: 3 },
  });
  expect(readFileSync(plan.paths.config, 'utf8')).toContain('"budget": {"usd": 5},');
  await expect(saveConfigValue(plan.paths, 'worker.maxCycles', 'many')).rejects.toMatchObject({
    code: 'invalid-config',
  });
  await expect(saveConfigValue(plan.paths, 'worker.maxCycle', '3')).rejects.toMatchObject({
    hint: expect.stringContaining('Did you mean worker.maxCycles?'),
  });
});

test('what only a person may set has no effect in a tracked file, and is named', () => {
  using plan = createPlan();
  plan.write('.saga/config.json', {
    worker: { claudePath: './evil', permissions: 'bypass', model: 'sonnet' },
  });
  const { config, problems } = loadSoundConfig(plan.paths);
  expect(config.worker).toMatchObject({
    claudePath: null,
    permissions: 'guarded',
    model: 'sonnet',
  });
  expect(problems.map(({ code, field }) => [code, field])).toEqual([
    ['personal-setting', 'worker.claudePath'],
    ['personal-setting', 'worker.permissions'],
  ]);
  // Nobody is kept from working by it.
  expect(loadConfig(plan.paths).config.worker.claudePath).toBe(null);
});

test("the person's own file sets it, below the project's file for everything else", async () => {
  using plan = createPlan();
  const environment = { HOME: join(plan.root, 'home') };
  const file = join(environment.HOME, '.config/saga/config.json');
  expect(await saveConfigValue(plan.paths, 'worker.claudePath', '/opt/claude', environment)).toBe(
    file,
  );
  expect(existsSync(plan.paths.config)).toBe(false);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  await saveConfigValue(plan.paths, 'worker.permissions', 'bypass', environment);
  plan.write('home/.config/saga/config.json', {
    worker: { claudePath: '/opt/claude', permissions: 'bypass', model: 'sonnet', maxCycles: 4 },
  });
  plan.write('.saga/config.json', { worker: { model: 'haiku' } });
  const { config, origins } = loadConfig(plan.paths, { environment });
  expect(config.worker).toMatchObject({
    claudePath: '/opt/claude',
    permissions: 'bypass',
    model: 'haiku',
    maxCycles: 4,
  });
  expect(origins.get('worker.claudePath')).toBe('person');
  expect(origins.get('worker.model')).toBe('file');
  // XDG_CONFIG_HOME wins over HOME.
  const elsewhere = { ...environment, XDG_CONFIG_HOME: join(plan.root, 'xdg') };
  expect(loadConfig(plan.paths, { environment: elsewhere }).config.worker.claudePath).toBe(null);
});

test("a relative client in the person's file is refused: each repository could put one there", () => {
  using plan = createPlan();
  plan.write('home/.config/saga/config.json', { worker: { claudePath: './claude' } });
  const environment = { HOME: join(plan.root, 'home') };
  expect(() => loadConfig(plan.paths, { environment })).toThrow(/"worker.claudePath" is relative/);
});

test('a wrong value can be replaced, and $schema is kept', async () => {
  using plan = createPlan();
  const $schema = './config.schema.json';
  plan.write('.saga/config.json', { $schema, worker: { maxCycles: 'ten', model: 'sonnet' } });
  expect(() => loadConfig(plan.paths)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('saga config worker.maxCycles …') }),
  );
  await saveConfigValue(plan.paths, 'worker.maxCycles', '4');
  expect(JSON.parse(readFileSync(plan.paths.config, 'utf8'))).toEqual({
    $schema,
    worker: { maxCycles: 4, model: 'sonnet' },
  });
  expect(loadConfig(plan.paths).config.worker.maxCycles).toBe(4);
});
