import type { Command, CommandEntry } from '../command.ts';

const verb = (name: string, summary: string, load: CommandEntry['load']): CommandEntry => ({
  name,
  summary,
  load,
});

export const command: Command = {
  about: `Works on a Claude Code task list, under the same locks as the client, so that live
sessions and any number of these commands share it and nothing is lost or claimed twice. The list is
--list, else CLAUDE_CODE_TASK_LIST_ID, else the one named like this folder. With --story, the same on
a story's own files.`,
  verbs: [
    verb('ready', 'what can be worked on now', () => import('./task/ready.ts')),
    verb(
      'pop',
      'claim the next one and show it; exit code 3 when there is none',
      () => import('./task/pop.ts'),
    ),
    verb('claim', 'claim one by its id', () => import('./task/claim.ts')),
    verb('release', 'put a claimed one back', () => import('./task/release.ts')),
    verb('close', 'completed', () => import('./task/close.ts')),
    verb('reopen', 'pending again', () => import('./task/reopen.ts')),
    verb('create', 'a new task', () => import('./task/create.ts')),
    verb('q', 'a new task; prints only its id', () => import('./task/q.ts')),
    verb('update', 'status, subject, body, owner, metadata', () => import('./task/update.ts')),
    verb('edit', 'change it in your editor', () => import('./task/edit.ts')),
    verb('delete', 'remove it and every reference to it', () => import('./task/delete.ts')),
    verb('dep', 'add or rm: what waits for what', () => import('./task/dep.ts')),
    verb('label', 'add a label', () => import('./task/label.ts')),
    verb('show', 'one task in full', () => import('./task/show.ts')),
    verb('list', 'all tasks', () => import('./task/list.ts')),
    verb('blocked', 'what waits, and for what', () => import('./task/blocked.ts')),
    verb('search', 'by words in subject or description', () => import('./task/search.ts')),
    verb('tree', 'who waits for whom, as a tree', () => import('./task/tree.ts')),
    verb('graph', 'the same as text, Mermaid or DOT', () => import('./task/graph.ts')),
    verb('count', 'how many in each state', () => import('./task/count.ts')),
    verb('status', 'where the list stands', () => import('./task/status.ts')),
    verb('watch', 'follow the list live', () => import('./task/watch.ts')),
  ],
};
