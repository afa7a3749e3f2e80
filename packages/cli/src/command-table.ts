import type { CommandEntry } from './command.ts';

/** Every command with its one line; the code behind it is loaded only when it is called. */
export const COMMANDS: readonly CommandEntry[] = [
  entry(
    'Plan',
    'init',
    'give this repository a .saga folder',
    () => import('./commands/plan/init.ts'),
  ),
  entry(
    'Plan',
    'create',
    'create a story or an epic from a draft',
    () => import('./commands/plan/create.ts'),
  ),
  entry(
    'Plan',
    'edit',
    'change a story, a task or an epic in your editor',
    () => import('./commands/plan/edit.ts'),
  ),
  entry(
    'Plan',
    'journal',
    "read or add to a story's journal",
    () => import('./commands/plan/journal.ts'),
  ),
  entry(
    'Plan',
    'check',
    'list every problem in .saga and how to fix it',
    () => import('./commands/plan/check.ts'),
  ),
  entry('Look', 'status', 'where everything stands', () => import('./commands/plan/status.ts')),
  entry('Look', 'list', 'all stories and epics', () => import('./commands/plan/list.ts')),
  entry('Look', 'ready', 'stories that could start now', () => import('./commands/plan/ready.ts')),
  entry('Look', 'show', 'one story, task or epic in full', () => import('./commands/plan/show.ts')),
  entry(
    'Look',
    'tree',
    'epics, stories and tasks as a tree',
    () => import('./commands/plan/tree.ts'),
  ),
  entry(
    'Look',
    'graph',
    'what waits for what, as text, Mermaid or DOT',
    () => import('./commands/plan/graph.ts'),
  ),
  entry(
    'Look',
    'search',
    'find text anywhere, typos forgiven',
    () => import('./commands/plan/search.ts'),
  ),
  entry(
    'Look',
    'dashboard',
    'all of it as a live page in your browser',
    () => import('./commands/machine/dashboard.ts'),
  ),
  entry(
    'Work',
    'task',
    'tasks of a native list or of a story: claim, close, order',
    () => import('./commands/task.ts'),
  ),
  entry(
    'Work',
    'run',
    'work on a story in a session of its own',
    () => import('./commands/run/run.ts'),
  ),
  entry('Work', 'worker', 'work on a story in place', () => import('./commands/run/worker.ts')),
  entry(
    'Work',
    'rehearse',
    'try a story with a scripted model, for nothing',
    () => import('./commands/run/rehearse.ts'),
  ),
  entry(
    'Work',
    'sessions',
    'workers, running and ended',
    () => import('./commands/run/sessions.ts'),
  ),
  entry('Work', 'logs', 'what a session did', () => import('./commands/run/logs.ts')),
  entry('Work', 'attach', 'look into a running session', () => import('./commands/run/attach.ts')),
  entry('Work', 'stop', 'stop a session in order', () => import('./commands/run/stop.ts')),
  entry(
    'Work',
    'blockers',
    'questions that wait for you',
    () => import('./commands/run/blockers.ts'),
  ),
  entry('Work', 'resolve', 'answer a blocker', () => import('./commands/run/resolve.ts')),
  entry(
    'Work',
    'verify',
    "check a story's evidence again",
    () => import('./commands/run/verify.ts'),
  ),
  entry(
    'Keep',
    'archive',
    'put a story or an epic away',
    () => import('./commands/plan/archive.ts'),
  ),
  entry('Keep', 'unarchive', 'bring it back', () => import('./commands/plan/unarchive.ts')),
  entry(
    'Set up',
    'demo',
    'see all of it on a sample repository, for nothing',
    () => import('./commands/machine/demo.ts'),
  ),
  entry(
    'Set up',
    'doctor',
    'is all there that a story needs, and how to get it',
    () => import('./commands/machine/doctor.ts'),
  ),
  entry(
    'Set up',
    'config',
    'show or set settings, and where they come from',
    () => import('./commands/plan/config.ts'),
  ),
  entry('Set up', 'schema', 'print a JSON Schema', () => import('./commands/plan/schema.ts')),
  entry(
    'Set up',
    'completions',
    'print completions for your shell',
    () => import('./commands/machine/completions.ts'),
  ),
  {
    ...entry(
      'Set up',
      'complete',
      'candidates for completions',
      () => import('./commands/machine/complete.ts'),
    ),
    hidden: true,
  },
  {
    ...entry(
      'Set up',
      'model',
      'a scripted model on loopback',
      () => import('./commands/machine/model.ts'),
    ),
    hidden: true,
  },
];

function entry(
  group: string,
  name: string,
  summary: string,
  load: CommandEntry['load'],
): CommandEntry {
  return { group, name, summary, load };
}
