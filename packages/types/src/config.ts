import * as z from 'zod/mini';
import { EngineConfig } from './engine-config.ts';
import { NotifySettings } from './notify-settings.ts';
import { MODEL_SETTINGS } from './plan/model-settings.ts';
import { SchemaField } from './plan/schema-field.ts';
import { PullRequestConfig } from './pull-request-config.ts';
import { SandboxConfig } from './sandbox-config.ts';
import { WorktreeConfig } from './worktree-config.ts';

const text = z.string().check(z.minLength(1));
const optionalText = z._default(z.nullable(text), null);
const texts = z._default(z.array(text), []);
const count = z.int().check(z.gte(1));
const amount = z._default(z.nullable(z.number().check(z.positive())), null);

/** `.saga/config.json`. Unknown keys are refused. All defaults are defined here. */
export const Config = z.strictObject({
  $schema: SchemaField,
  worker: z.prefault(
    z.strictObject({
      maxCycles: z
        ._default(count, 10)
        .check(
          z.describe(
            'The largest number of headless runs. In mode task, a run that completes its task does not count.',
          ),
        ),
      maxTime: z
        ._default(z.number().check(z.positive()), 60)
        .check(
          z.describe(
            'Minutes after which a worker stops, including the time it waits for usage limits.',
          ),
        ),
      model: z
        ._default(text, 'opus')
        .check(z.describe('The model, by the name that Claude Code uses.')),
      ...MODEL_SETTINGS,
      mode: z
        ._default(z.enum(['story', 'task']), 'story')
        .check(z.describe('story: one run works on all tasks. task: each task gets its own run.')),
      maxAttempts: z
        ._default(count, 3)
        .check(
          z.describe(
            'After this many runs that left a task unfinished, the task waits for a person.',
          ),
        ),
      continueUpTo: z
        ._default(z.int().check(z.gte(0)), 120_000)
        .check(
          z.describe(
            'A run goes on with the conversation of the run before if that conversation has at most this many tokens. 0: every run begins a new conversation.',
          ),
        ),
      waitForAnswer: z
        ._default(z.number().check(z.gte(0)), 0)
        .check(
          z.describe(
            'Minutes that a worker waits for your answer to a blocker before it ends. The answer then reaches the same conversation.',
          ),
        ),
      resplit: z
        ._default(z.boolean(), true)
        .check(
          z.describe(
            'Let a run without write access split a task that stalled, was tried twice or outgrew its ceiling into smaller ones. A task is split once at most.',
          ),
        ),
      retryMinutes: z
        ._default(z.array(z.number().check(z.gte(0))).check(z.minLength(1)), [1, 2, 5, 10])
        .check(
          z.describe(
            'Minutes that a worker waits before its next run if the model is overloaded or cannot be reached: the first wait, the second, and so on. The last one is repeated.',
          ),
        ),
      claudePath: optionalText.check(
        z.describe(
          'Path of Claude Code. null: `claude` on PATH. Only your own settings file and the variable can set it.',
        ),
      ),
      permissions: z
        ._default(z.enum(['guarded', 'bypass', 'allowlist']), 'guarded')
        .check(
          z.describe(
            'What Claude Code may do without asking. guarded: edit files and run Bash. allowlist: only edit files of the worktree and use worker.tools. bypass: everything; only your own settings file and the variable can set it. The guard checks every call in each mode.',
          ),
        ),
      tools: texts.check(
        z.describe(
          'Tools or permission rules that a run may use in addition to the built-in list, such as WebFetch.',
        ),
      ),
      mcpServers: z
        ._default(z.record(z.string(), z.unknown()), {})
        .check(
          z.describe(
            'MCP servers of a run, by name, as in .mcp.json. No other servers are loaded.',
          ),
        ),
      sandbox: z
        ._default(z.enum(['auto', 'required', 'off']), 'auto')
        .check(
          z.describe(
            'Run Claude Code behind walls of the operating system. They need bubblewrap on Linux. auto: if they work here. required: no run starts without them.',
          ),
        ),
    }),
    {},
  ),
  sandbox: SandboxConfig,
  budget: z.prefault(
    z.strictObject({
      usd: amount.check(
        z.describe(
          'Dollars that a story may cost, in all its sessions on this machine. null: no limit.',
        ),
      ),
      tokens: amount.check(
        z.describe(
          'Tokens that a story may use in all its sessions on this machine, including cached ones. null: no limit.',
        ),
      ),
    }),
    {},
  ),
  checkIn: z.prefault(
    z.strictObject({
      minutes: z
        ._default(z.number().check(z.positive()), 3)
        .check(
          z.describe(
            'Minutes between two check-ins: the worker looks whether its run still shows signs of life.',
          ),
        ),
      misses: z
        ._default(count, 2)
        .check(
          z.describe(
            'Check-ins in a row without a sign of life after which a run is asked what it waits for. If the next one finds none either, the run is ended.',
          ),
        ),
    }),
    {},
  ),
  ceiling: z.prefault(
    z.strictObject({
      files: z
        ._default(count, 5)
        .check(
          z.describe(
            'The largest number of files that a task should change. A task for which a run changed more without completing it is split (worker.resplit).',
          ),
        ),
      lines: z
        ._default(count, 200)
        .check(
          z.describe(
            'The largest number of lines that a task should change. A task for which a run changed more without completing it is split (worker.resplit).',
          ),
        ),
    }),
    {},
  ),
  gate: z.prefault(
    z.strictObject({
      verify: optionalText.check(
        z.describe(
          'Shell command of the gate; it must exit with 0. A story with its own `verify` uses that instead.',
        ),
      ),
      clean: z
        ._default(z.boolean(), true)
        .check(
          z.describe(
            "Run the verify command in a clean checkout of the last commit, where setup is run again. false: in the story's worktree, with what is there.",
          ),
        ),
      timeout: z
        ._default(z.number().check(z.positive()), 15)
        .check(
          z.describe(
            'Minutes that the verify command may take. After that it is ended with everything it started, and the check fails.',
          ),
        ),
      passVariables: texts.check(
        z.describe(
          'Names of variables that worktree.setup and the verify command get although they hold credentials of the model or of GitHub, such as GITHUB_TOKEN.',
        ),
      ),
      protectedFiles: texts.check(
        z.describe(
          'Globs of files that no story may change, in addition to CI definitions, .lfsconfig and the files of Claude Code. With ! in front, a glob frees some of those.',
        ),
      ),
      testFiles: z
        ._default(z.array(text), [
          '**/*.test.*',
          '**/*.spec.*',
          '**/test/**',
          '**/tests/**',
          '**/__tests__/**',
        ])
        .check(
          z.describe(
            'Globs of test files. The run that writes the tests of a task with needsTests may write only these.',
          ),
        ),
    }),
    {},
  ),
  worktree: WorktreeConfig,
  session: z.prefault(
    z.strictObject({
      tmuxServer: z
        ._default(z.enum(['saga', 'user']), 'saga')
        .check(
          z.describe(
            'saga: sessions are on a tmux server of their own, which reads no configuration. user: they are on your own server, among your sessions.',
          ),
        ),
    }),
    {},
  ),
  pullRequest: PullRequestConfig,
  epic: z.prefault(
    z.strictObject({
      jobs: z
        ._default(count, 2)
        .check(z.describe('How many stories of an epic are worked on at the same time.')),
      failFast: z
        ._default(z.boolean(), false)
        .check(z.describe('Stop the whole epic as soon as one of its stories needs a person.')),
      integrate: z
        ._default(z.enum(['branch', 'review']), 'branch')
        .check(
          z.describe(
            'branch: stories that passed their gate are merged into the branch of the epic, one at a time. review: a person merges each story, and the stories that depend on it wait for this merge.',
          ),
        ),
      verify: optionalText.check(
        z.describe(
          'Shell command that must exit with 0 after each merge into the branch of an epic. null: the verify command of the story, else gate.verify.',
        ),
      ),
    }),
    {},
  ),
  engine: EngineConfig,
  clean: z.prefault(
    z.strictObject({
      keepDays: z
        ._default(z.int().check(z.gte(0)), 30)
        .check(
          z.describe(
            'How many days saga clean keeps records, logs, task lists and put-back copies of sessions.',
          ),
        ),
    }),
    {},
  ),
  notify: z.prefault(NotifySettings, {}),
  dashboard: z.prefault(
    z.strictObject({
      port: z
        ._default(z.int().check(z.gte(0), z.lte(65535)), 4780)
        .check(
          z.describe('The port of the dashboard. If it is taken, the next free port is used.'),
        ),
      names: texts.check(
        z.describe(
          'Further host names under which the dashboard is reached, such as that of a reverse proxy or a cloud workspace.',
        ),
      ),
    }),
    {},
  ),
});
export type Config = Omit<z.infer<typeof Config>, '$schema'>;

/**
 * Personal settings: they choose the program of a run, remove its limits, or say where SAGA connects to. A file that
 * git tracks cannot set them.
 */
export function isPersonal(key: string, value: unknown): boolean {
  if (key === 'worker.claudePath' || key === 'engine.url') {
    return value !== null && value !== undefined;
  }
  return key === 'worker.permissions' && value === 'bypass';
}

/** Settings that are about a person and not about a project: `saga config` writes them to the person's file. */
export const isAboutPerson = (key: string): boolean => key.startsWith('notify.');

/** The keys of each group: `worker` has `maxCycles`, `maxTime` … */
export const CONFIG_GROUPS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(Config.shape).flatMap(([group, { def }]) =>
    'shape' in def.innerType ? [[group, Object.keys(def.innerType.shape)] as const] : [],
  ),
);

/** Every key as people write it: `worker.maxCycles`. */
export const CONFIG_KEYS: readonly string[] = [...CONFIG_GROUPS].flatMap(([group, keys]) =>
  keys.map((key) => `${group}.${key}`),
);
