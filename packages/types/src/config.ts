import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));
const optionalText = z._default(z.nullable(text), null);
const texts = z._default(z.array(text), []);
const count = z.int().check(z.gte(1));
const amount = z._default(z.nullable(z.number().check(z.positive())), null);

/** `.saga/config.json`: strict, and the one home of every default. */
export const Config = z.strictObject({
  worker: z.prefault(
    z.strictObject({
      maxCycles: z._default(count, 10),
      maxTime: z
        ._default(z.number().check(z.positive()), 60)
        .check(z.describe('Minutes a worker may take.')),
      model: z._default(text, 'opus'),
      mode: z._default(z.enum(['story', 'task']), 'story'),
      maxAttempts: z._default(count, 3),
      claudePath: optionalText.check(z.describe('The client; else `claude` on PATH.')),
      permissions: z._default(z.enum(['guarded', 'bypass', 'allowlist']), 'guarded'),
      tools: texts.check(z.describe('Tools beyond the built-in list.')),
      mcpServers: z._default(z.record(z.string(), z.unknown()), {}),
      sandbox: z._default(z.boolean(), false),
    }),
    {},
  ),
  budget: z.prefault(z.strictObject({ usd: amount, tokens: amount }), {}),
  checkIn: z.prefault(
    z.strictObject({
      minutes: z._default(z.number().check(z.positive()), 3),
      misses: z._default(count, 2),
    }),
    {},
  ),
  ceiling: z.prefault(
    z.strictObject({ files: z._default(count, 5), lines: z._default(count, 200) }),
    {},
  ),
  gate: z.prefault(
    z.strictObject({
      verify: optionalText.check(z.describe('Command that must exit 0 before review.')),
      protectedFiles: texts.check(z.describe('Globs no story may change.')),
      testFiles: z._default(z.array(text), [
        '**/*.test.*',
        '**/*.spec.*',
        '**/test/**',
        '**/tests/**',
        '**/__tests__/**',
      ]),
    }),
    {},
  ),
  worktree: z.prefault(
    z.strictObject({
      baseBranch: optionalText.check(z.describe('Else the default branch is found.')),
      setup: optionalText.check(z.describe('Command run once in a new worktree.')),
    }),
    {},
  ),
  pullRequest: z.prefault(
    z.strictObject({
      mode: z._default(z.enum(['auto', 'off']), 'auto'),
      labels: texts,
      reviewers: texts,
    }),
    {},
  ),
  epic: z.prefault(
    z.strictObject({ jobs: z._default(count, 1), failFast: z._default(z.boolean(), false) }),
    {},
  ),
  dashboard: z.prefault(
    z.strictObject({ port: z._default(z.int().check(z.gte(0), z.lte(65535)), 4780) }),
    {},
  ),
  engine: z.prefault(
    z.strictObject({ url: optionalText.check(z.describe('Engine that hands out stories.')) }),
    {},
  ),
});
export type Config = z.infer<typeof Config>;

/** Group name to its keys: `worker` to `maxCycles`, `maxTime` … */
export const CONFIG_GROUPS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(Config.shape).map(([group, schema]) => [
    group,
    Object.keys(schema.def.innerType.shape),
  ]),
);

/** Every key as people write it: `worker.maxCycles`. */
export const CONFIG_KEYS: readonly string[] = [...CONFIG_GROUPS].flatMap(([group, keys]) =>
  keys.map((key) => `${group}.${key}`),
);

/** `worker.maxCycles` is `SAGA_WORKER_MAX_CYCLES` in the environment. */
export function formatConfigVariable(key: string): string {
  return `SAGA_${key
    .replace(/([A-Z])/g, '_$1')
    .replace('.', '_')
    .toUpperCase()}`;
}
