import type { Task } from '@saga-ai/types/plan/task';
import type { RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { claude } from '../agents/claude/agent.ts';
import { describeRehearsal, type RehearsalFacts } from './rehearsal-findings.ts';

const at = (type: string, fields: object = {}, time = '2026-01-01T00:00:00.000Z') =>
  ({ time, type, ...fields }) as RunEvent;

const init = (missing: string[] = []) => at('run:init', { tools: [], missing });
const check = (name: string, outcome: string, detail = `${name} ${outcome}`, more: object = {}) =>
  at('gate:check', { check: { name, outcome, detail, ...more } });
const denied = at('guard:denied', { id: 'probe', path: '/w/probe', reason: '/w/probe is out' });
const failure = (text: string, id = 'call', more: object = {}) =>
  at('run:result', { id, text, isError: true, ...more });

const task = (id: string, status: Task['status']): Task => ({
  id,
  subject: id,
  description: '',
  status,
  blockedBy: [],
});

const PREPARED = [
  at('preflight:passed', { claude: '2.1.325', git: '2.39.5' }),
  at('worktree:created', { branch: 'rehearsal/x', base: 'main' }),
];
const RUN = [...PREPARED, at('hydrate:done', { tasks: 1 }), at('run:start'), init(), denied];

/** As lines, for what people would see. */
function tell(events: readonly RunEvent[], more: Partial<RehearsalFacts> = {}): string[] {
  const facts: RehearsalFacts = {
    events,
    tasks: [task('a', 'completed')],
    answers: 3,
    probe: 'probe',
    isProbeThere: false,
    words: claude.words,
    end: { kind: 'done', cause: { kind: 'done' } },
    verifyOutput: '',
    ...more,
  };
  return describeRehearsal(facts).map(
    ({ name, state, message, fix }) => `${state} ${name}: ${message}${fix ? ` → ${fix}` : ''}`,
  );
}

/** The last lines only. */
const last = (lines: string[], count = 1) => lines.slice(-count);

test('a whole rehearsal, in the order of its steps', () => {
  const events = [
    ...PREPARED,
    at('worktree:included', { files: ['.env', 'certs/a.pem'] }),
    at('worktree:not-included', { path: 'out/x', reason: 'it leads out' }),
    at('setup:start', { command: 'npm ci' }),
    at('setup:end', { exitCode: 0 }, '2026-01-01T00:00:04.000Z'),
    ...RUN.slice(2),
    check('tasks', 'passed'),
    check('committed', 'passed', 'nothing uncommitted'),
    check('protected-files', 'skipped', 'none configured'),
    check('verify', 'skipped', 'no command configured'),
    check('pushed', 'passed', 'rehearsal/x is on origin'),
  ];
  expect(tell(events)).toMatchInlineSnapshot(`
    [
      "ok preflight: claude 2.1.325, git 2.39.5",
      "ok worktree: made on rehearsal/x from main",
      "ok included: .env, certs/a.pem copied",
      "warning included: out/x not copied: it leads out",
      "ok setup: npm ci (4 s)",
      "ok plan: 1 task in the client's own list",
      "ok client: starts, and offers its Task tools",
      "ok model: 3 answers from the scripted model, nothing spent",
      "ok guard: refused a write outside the worktree",
      "ok tasks: 1 of 1 task completed, and the story's files say so",
      "ok committed: nothing uncommitted",
      "warning verify: unverified: no verify command is configured, so nothing is tested → Name one: saga config gate.verify "npm test"",
      "ok pushed: to a stand-in, with the hooks of this repository; the remote itself was not asked",
    ]
  `);
});

test.each<[string, RunEvent[], Partial<RehearsalFacts>, string[]]>([
  [
    'it did not pass its preflight',
    [],
    {
      end: { kind: 'error', cause: { kind: 'error', message: 'No client.' } },
      hint: 'Install it.',
    },
    ['problem preflight: No client. → Install it.'],
  ],
  [
    'no worktree could be made',
    PREPARED.slice(0, 1),
    { end: { kind: 'error', cause: { kind: 'error', message: 'Taken.' } } },
    ['problem worktree: Taken.'],
  ],
  [
    'its setup failed: told once, with the last it said',
    [
      ...PREPARED,
      at('setup:start', { command: 'make' }),
      at('setup:end', { exitCode: 2, outputEnd: '1\n2\n3\n4\n5\n6\n' }),
    ],
    {
      end: {
        kind: 'error',
        cause: { kind: 'error', message: 'The setup command failed (code 2): make' },
      },
    },
    [
      'problem setup: make ended with code 2\n2\n3\n4\n5\n6 → Change worktree.setup in .saga/config.json. To try it in the worktree, keep it with --keep',
    ],
  ],
  [
    'its setup takes too long',
    [...PREPARED, at('setup:start', { command: 'make' }), at('setup:end', { exitCode: null })],
    {
      end: { kind: 'error', cause: { kind: 'error', message: 'The setup command failed' } },
      hint: 'Try it in /gone',
    },
    [
      'problem setup: make did not end in time → Change worktree.setup in .saga/config.json. To try it in the worktree, keep it with --keep',
    ],
  ],
  [
    'files are left, for the run was not allowed to commit them',
    [
      ...RUN,
      failure('Permission to use Bash was denied.', 'call', { isDenied: true }),
      check('committed', 'failed', 'a.md'),
    ],
    { end: { kind: 'stopped', cause: { kind: 'stopped', why: 'seen enough' } } },
    [
      'problem committed: a.md\nPermission to use Bash was denied. → Allow it in .saga/config.json: worker.tools, such as "Bash(git commit:*)"',
    ],
  ],
  [
    'verify passes and leaves files',
    [
      ...RUN,
      at('gate:check', {
        check: { name: 'verify', outcome: 'failed', detail: 'it leaves: out', files: ['out'] },
      }),
    ],
    { end: { kind: 'stopped', cause: { kind: 'stopped', why: 'seen enough' } } },
    ['problem verify: it leaves: out → Add them to .gitignore, or have the command remove them'],
  ],
  [
    'its setup was stopped',
    [...PREPARED, at('setup:start', { command: 'make' }), at('setup:end', { exitCode: null })],
    { end: { kind: 'stopped', cause: { kind: 'stopped', why: 'stopped by SIGINT' } } },
    ['warning end: stopped by SIGINT'],
  ],
  [
    'the client did not start',
    [...PREPARED, at('run:start')],
    {
      answers: 0,
      end: { kind: 'error', cause: { kind: 'error', message: 'cannot open libfoo' } },
      hint: 'Try it.',
    },
    [
      'problem client: ended before its first event: cannot open libfoo → Try it.',
      'problem model: the client did not ask the scripted model → Check .claude/settings.json: a hook may refuse the prompt, or a setting may select another address or account',
      "ok tasks: 1 of 1 task completed, and the story's files say so",
    ],
  ],
  [
    'Task tools are missing',
    [...PREPARED, at('run:start'), init(['TaskGet', 'TaskUpdate']), denied],
    {
      end: { kind: 'error', cause: { kind: 'error', message: 'no tools' } },
      tasks: [task('a', 'pending')],
    },
    [
      'problem client: does not offer TaskGet, TaskUpdate → saga doctor',
      'ok model: 3 answers from the scripted model, nothing spent',
      'ok guard: refused a write outside the worktree',
      'warning tasks: 0 of 1 task completed',
    ],
  ],
  [
    'stopped before the client came to anything: nothing is blamed',
    [...PREPARED, at('run:start')],
    { answers: 0, end: { kind: 'stopped', cause: { kind: 'stopped', why: 'stopped by SIGINT' } } },
    ['ok worktree: made on rehearsal/x from main', 'warning end: stopped by SIGINT'],
  ],
  [
    'the guard let the probe through, though it said no',
    RUN,
    { isProbeThere: true },
    [
      'problem guard: let a write outside the worktree through → Report this as a bug',
      "ok tasks: 1 of 1 task completed, and the story's files say so",
    ],
  ],
  [
    'the guard was not asked',
    RUN.slice(0, -1),
    {},
    [
      'warning guard: was not asked about a write outside the worktree',
      "ok tasks: 1 of 1 task completed, and the story's files say so",
    ],
  ],
  [
    'verify failed',
    [...RUN, check('verify', 'failed', 'npm test ended with code 1')],
    {
      verifyOutput: 'no\nsuch\nmodule\n',
      end: { kind: 'stopped', cause: { kind: 'stopped', why: 'seen enough' } },
    },
    [
      'problem verify: npm test ended with code 1\nno\nsuch\nmodule → If it needs something that a fresh worktree lacks: worktree.setup, .worktreeinclude. If it can only pass once the real work is done, ignore this',
    ],
  ],
  [
    'verify was stopped by a person, which is no failure',
    [
      ...RUN,
      check('verify', 'failed', 'npm test was stopped: stopped by SIGINT', { wasStopped: true }),
    ],
    { end: { kind: 'stopped', cause: { kind: 'stopped', why: 'stopped by SIGINT' } } },
    ['warning verify: npm test was stopped: stopped by SIGINT', 'warning end: stopped by SIGINT'],
  ],
  [
    'a push was refused: the stand-in is not named, it is gone',
    [
      ...RUN,
      check('pushed', 'failed', "ask Ann · error: failed to push some refs to '/t/o r.git'"),
    ],
    { end: { kind: 'needs-you', cause: { kind: 'gate', checks: ['pushed'], detail: 'x' } } },
    ['problem pushed: ask Ann → A hook of this repository (pre-push), or git itself, refuses it'],
  ],
  [
    'a hint asks for a person',
    RUN,
    {
      end: { kind: 'needs-you', cause: { kind: 'blocker', titles: ['Which?'] } },
      tasks: [task('a', 'pending')],
    },
    [
      'warning tasks: 0 of 1 task completed',
      'warning end: the story would wait for you: open blocker: Which?',
    ],
  ],
  [
    'a task could not be completed: with the last command that failed, not what was refused',
    [
      ...RUN,
      failure('Exit code 1\nlint: 3 errors'),
      failure('hook error: /w/probe is out', 'probe'),
    ],
    {
      end: { kind: 'needs-you', cause: { kind: 'escalated', tasks: ['a', 'b'] } },
      tasks: [task('a', 'pending')],
    },
    [
      'warning tasks: 0 of 1 task completed',
      expect.stringMatching(
        /^problem runs: task a, b failed\nExit code 1\nlint: 3 errors → A hook /,
      ),
    ],
  ],
  [
    'a limit',
    [...RUN, at('run:result', { id: 'call', text: 'text' })],
    { end: { kind: 'limit', cause: { kind: 'limit', of: 'time' } } },
    ['problem end: the time is up'],
  ],
])('%s', (_, events, more, expected) => {
  expect(last(tell(events, more), expected.length)).toEqual(expected);
});
