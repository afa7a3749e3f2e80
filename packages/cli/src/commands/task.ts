import { LIST_VARIABLE } from '@saga-ai/core/agents/claude/client-home';
import type { Command, CommandEntry } from '../command.ts';

const verb = (name: string, summary: string, load: CommandEntry['load']): CommandEntry => ({
  name,
  summary,
  load,
});

export const command: Command = {
  about: `With --story, these commands work on the tasks of a story. Without it, they work on a task list of
Claude Code: the one that --list names, else ${LIST_VARIABLE}, else the list with the name of this folder.
They take the same locks as Claude Code, so sessions and several of these commands can share a list: no
change is lost and no task is claimed twice.`,
  verbs: [
    verb('ready', 'list the tasks that can start now', () => import('./task/look/ready.ts')),
    verb(
      'pop',
      'claim the next task and show it; exit code 3 if there is none',
      () => import('./task/change/pop.ts'),
    ),
    verb('claim', 'claim a task by its id', () => import('./task/change/claim.ts')),
    verb(
      'release',
      'give up a claim; the task is pending again',
      () => import('./task/change/release.ts'),
    ),
    verb('close', 'mark a task as completed', () => import('./task/change/close.ts')),
    verb('reopen', 'set a task to pending again', () => import('./task/change/reopen.ts')),
    verb('create', 'create a task', () => import('./task/change/create.ts')),
    verb('q', 'create a task and print only its id', () => import('./task/change/q.ts')),
    verb(
      'update',
      'change status, subject, body, owner or metadata',
      () => import('./task/change/update.ts'),
    ),
    verb('edit', 'change a task in your editor', () => import('./task/change/edit.ts')),
    verb(
      'delete',
      'remove a task and every reference to it',
      () => import('./task/change/delete.ts'),
    ),
    verb('dep', 'add or remove a dependency', () => import('./task/change/dep.ts')),
    verb('label', 'add or remove labels', () => import('./task/change/label.ts')),
    verb('show', 'show one task in full', () => import('./task/look/show.ts')),
    verb('list', 'list all tasks', () => import('./task/look/list.ts')),
    verb(
      'blocked',
      'list the tasks that wait, and what they wait for',
      () => import('./task/look/blocked.ts'),
    ),
    verb(
      'search',
      'find tasks by words in subject or description',
      () => import('./task/look/search.ts'),
    ),
    verb('tree', 'show which task waits for which, as a tree', () => import('./task/look/tree.ts')),
    verb(
      'graph',
      'show which task waits for which, as text, Mermaid or DOT',
      () => import('./task/look/graph.ts'),
    ),
    verb('count', 'print the number of tasks', () => import('./task/look/count.ts')),
    verb('status', 'show the progress of the list', () => import('./task/look/status.ts')),
    verb('watch', 'follow the changes of the list live', () => import('./task/look/watch.ts')),
  ],
};
