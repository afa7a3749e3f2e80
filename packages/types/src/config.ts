import * as z from 'zod/mini';
import { WORKTREE_FOLDER } from './words/names.ts';

const text = z.string().check(z.minLength(1));
const optionalText = z._default(z.nullable(text), null);
const texts = z._default(z.array(text), []);
const count = z.int().check(z.gte(1));
const amount = z._default(z.nullable(z.number().check(z.positive())), null);

/** `.saga/config.json`: strict, and the one home of every default. */
export const Config = z.strictObject({
  worker: z.prefault(
    z.strictObject({
      maxCycles: z
        ._default(count, 10)
        .check(
          z.describe(
            'Headless runs at most. In mode task, one that completes its task is not counted.',
          ),
        ),
      maxTime: z
        ._default(z.number().check(z.positive()), 60)
        .check(z.describe('Minutes a worker may take, waiting included.')),
      model: z._default(text, 'opus').check(z.describe('The model, as the client names it.')),
      mode: z
        ._default(z.enum(['story', 'task']), 'story')
        .check(
          z.describe('story: a run works through the task list. task: each task has its own run.'),
        ),
      maxAttempts: z
        ._default(count, 3)
        .check(
          z.describe('Runs that may leave a task unfinished before it is handed to a person.'),
        ),
      claudePath: optionalText.check(
        z.describe('The client, relative to the project; else `claude` on PATH.'),
      ),
      permissions: z
        ._default(z.enum(['guarded', 'bypass', 'allowlist']), 'guarded')
        .check(
          z.describe(
            'guarded: edits and Bash without asking. allowlist: files of the worktree and worker.tools only. bypass: everything without asking. The guard holds in each.',
          ),
        ),
      tools: texts.check(
        z.describe('Tools or permission rules beyond the built-in list, such as WebFetch.'),
      ),
      mcpServers: z
        ._default(z.record(z.string(), z.unknown()), {})
        .check(z.describe('MCP servers of a run, by name, as in .mcp.json; no others are loaded.')),
      sandbox: z
        ._default(z.boolean(), false)
        .check(
          z.describe("Run Bash in the client's own sandbox; on Linux it needs bwrap and socat."),
        ),
    }),
    {},
  ),
  budget: z.prefault(
    z.strictObject({
      usd: amount.check(z.describe('Dollars that one worker may spend; no limit if null.')),
      tokens: amount.check(
        z.describe('Tokens that one worker may use, cached ones included; no limit if null.'),
      ),
    }),
    {},
  ),
  checkIn: z.prefault(
    z.strictObject({
      minutes: z
        ._default(z.number().check(z.positive()), 3)
        .check(z.describe('Minutes between two looks at a living worker.')),
      misses: z
        ._default(count, 2)
        .check(
          z.describe('Looks without a new event before it is shown as stalled; it is not stopped.'),
        ),
    }),
    {},
  ),
  ceiling: z.prefault(
    z.strictObject({
      files: z
        ._default(count, 5)
        .check(z.describe('Files a task should change at most. Advice for planning; not checked.')),
      lines: z
        ._default(count, 200)
        .check(z.describe('Lines a task should change at most. Advice for planning; not checked.')),
    }),
    {},
  ),
  gate: z.prefault(
    z.strictObject({
      verify: optionalText.check(
        z.describe('Shell command that must exit 0 before review; the `verify` of a story wins.'),
      ),
      protectedFiles: texts.check(z.describe('Globs of files no story may change.')),
      testFiles: z
        ._default(z.array(text), [
          '**/*.test.*',
          '**/*.spec.*',
          '**/test/**',
          '**/tests/**',
          '**/__tests__/**',
        ])
        .check(z.describe('Globs of what a run may write that writes tests only (mode task).')),
    }),
    {},
  ),
  worktree: z.prefault(
    z.strictObject({
      folder: z
        ._default(text, WORKTREE_FOLDER)
        .check(
          z.describe(
            'Where worktrees of stories are made: relative to the project, absolute, or from ~. <repository> is the name of the project folder.',
          ),
        ),
      baseBranch: optionalText.check(
        z.describe('What stories start from and merge into; else the default branch is found.'),
      ),
      setup: optionalText.check(
        z.describe('Shell command run once in a new worktree, and again when it is changed.'),
      ),
    }),
    {},
  ),
  pullRequest: z.prefault(
    z.strictObject({
      mode: z
        ._default(z.enum(['auto', 'off']), 'auto')
        .check(z.describe('auto: a draft is opened where gh and a remote allow it. off: none.')),
      labels: texts.check(z.describe('Labels of a new pull request.')),
      reviewers: texts.check(
        z.describe('Who is asked for a review when the pull request becomes ready.'),
      ),
    }),
    {},
  ),
  dashboard: z.prefault(
    z.strictObject({
      port: z
        ._default(z.int().check(z.gte(0), z.lte(65535)), 4780)
        .check(z.describe('Where the dashboard listens; the next free one if it is taken.')),
    }),
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
