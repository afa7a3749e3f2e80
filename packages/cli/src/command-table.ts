import type { CommandEntry } from './command.ts';

/** Every command with its summary. The code of a command is loaded only when the command is called. */
export const COMMANDS: readonly CommandEntry[] = [
  entry(
    'Plan',
    'init',
    'create the .saga folder in this repository',
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
    "read a story's journal, or add an entry",
    () => import('./commands/plan/journal.ts'),
  ),
  entry(
    'Plan',
    'check',
    'list every problem in .saga and how to fix it',
    () => import('./commands/plan/check.ts'),
  ),
  entry(
    'Plan',
    'migrate',
    'take over plans of older versions and of other tools',
    () => import('./commands/plan/migrate.ts'),
  ),
  entry(
    'Look',
    'status',
    'show the state of every epic and story',
    () => import('./commands/plan/status.ts'),
  ),
  entry(
    'Look',
    'inbox',
    'list everything that waits for you, and the command that helps',
    () => import('./commands/run/inbox.ts'),
  ),
  entry('Look', 'list', 'list all stories and epics', () => import('./commands/plan/list.ts')),
  entry(
    'Look',
    'ready',
    'list the stories that can start now',
    () => import('./commands/plan/ready.ts'),
  ),
  entry(
    'Look',
    'show',
    'show one story, task or epic in full',
    () => import('./commands/plan/show.ts'),
  ),
  entry(
    'Look',
    'tree',
    'show epics, stories and tasks as a tree',
    () => import('./commands/plan/tree.ts'),
  ),
  entry(
    'Look',
    'graph',
    'show what waits for what, as text, Mermaid or DOT',
    () => import('./commands/plan/graph.ts'),
  ),
  entry(
    'Look',
    'search',
    'find text in stories, epics, tasks and journals',
    () => import('./commands/plan/search.ts'),
  ),
  entry(
    'Look',
    'dashboard',
    'show everything on a live page in your browser',
    () => import('./commands/machine/dashboard.ts'),
  ),
  entry(
    'Work',
    'task',
    'work with the tasks of a story or of a Claude Code list',
    () => import('./commands/task.ts'),
  ),
  entry(
    'Work',
    'run',
    'start work on a story or an epic in the background',
    () => import('./commands/run/run.ts'),
  ),
  entry(
    'Work',
    'pause',
    'let nothing new begin in a running epic',
    () => import('./commands/run/pause.ts'),
  ),
  entry('Work', 'continue', 'let a paused epic go on', () => import('./commands/run/continue.ts')),
  entry(
    'Work',
    'worker',
    'work on a story or an epic in this terminal',
    () => import('./commands/run/worker.ts'),
  ),
  entry(
    'Work',
    'update',
    'bring an edited plan and the base into a worktree',
    () => import('./commands/run/update.ts'),
  ),
  entry(
    'Work',
    'rehearse',
    'try a story with a scripted model, free of charge',
    () => import('./commands/run/rehearse.ts'),
  ),
  entry(
    'Work',
    'sessions',
    'list sessions, running and ended',
    () => import('./commands/run/sessions.ts'),
  ),
  entry('Work', 'logs', 'show what a session did', () => import('./commands/run/logs.ts')),
  entry(
    'Work',
    'attach',
    'watch a running session in its terminal',
    () => import('./commands/run/attach.ts'),
  ),
  entry('Work', 'stop', 'stop a session cleanly', () => import('./commands/run/stop.ts')),
  entry(
    'Work',
    'blockers',
    'list the questions that wait for you',
    () => import('./commands/run/blockers.ts'),
  ),
  entry('Work', 'resolve', 'answer a blocker', () => import('./commands/run/resolve.ts')),
  entry(
    'Work',
    'feedback',
    'say what the next run of a story should change',
    () => import('./commands/run/feedback.ts'),
  ),
  entry(
    'Work',
    'gate',
    "run the checks of a story's gate, without a model",
    () => import('./commands/run/gate.ts'),
  ),
  entry(
    'Work',
    'verify',
    "check that a story's gate passed and nothing changed since",
    () => import('./commands/run/verify.ts'),
  ),
  entry(
    'Keep',
    'archive',
    'move a story or an epic to the archive',
    () => import('./commands/plan/archive.ts'),
  ),
  entry(
    'Keep',
    'unarchive',
    'move a story or an epic back from the archive',
    () => import('./commands/plan/unarchive.ts'),
  ),
  entry(
    'Set up',
    'demo',
    'watch SAGA work on a sample repository, free of charge',
    () => import('./commands/machine/demo.ts'),
  ),
  entry(
    'Set up',
    'doctor',
    'check this machine and this project',
    () => import('./commands/machine/doctor.ts'),
  ),
  entry(
    'Set up',
    'config',
    'show settings and where they come from, or change one',
    () => import('./commands/plan/config.ts'),
  ),
  entry(
    'Set up',
    'trust',
    'see what this project would run, and say that you trust it',
    () => import('./commands/machine/trust.ts'),
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
      'print candidates for shell completions',
      () => import('./commands/machine/complete.ts'),
    ),
    hidden: true,
  },
  {
    ...entry(
      'Set up',
      'model',
      'serve a scripted model on loopback',
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
