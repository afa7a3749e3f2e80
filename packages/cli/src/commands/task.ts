import { LIST_VARIABLE } from '@saga-ai/core/agents/claude/client-home';
import type { Command, CommandEntry } from '../command.ts';

const verb = (name: string, summary: string, load: CommandEntry['load']): CommandEntry => ({
  name,
  summary,
  load,
});

export const command: Command = {
  about: `Works on a Claude Code task list, under the same locks as the client, so that live
sessions and any number of these commands share it and nothing is lost or claimed twice. The list is
--list, else ${LIST_VARIABLE}, else the one named like this folder. With --story, the same on
a story's own files.`,
  verbs: [
    verb('ready', 'what can be worked on now', () => import('./task/look/ready.ts')),
    verb(
      'pop',
      'claim the next one and show it; exit code 3 when there is none',
      () => import('./task/change/pop.ts'),
    ),
    verb('claim', 'claim one by its id', () => import('./task/change/claim.ts')),
    verb('release', 'put a claimed one back', () => import('./task/change/release.ts')),
    verb('close', 'completed', () => import('./task/change/close.ts')),
    verb('reopen', 'pending again', () => import('./task/change/reopen.ts')),
    verb('create', 'a new task', () => import('./task/change/create.ts')),
    verb('q', 'a new task; prints only its id', () => import('./task/change/q.ts')),
    verb(
      'update',
      'status, subject, body, owner, metadata',
      () => import('./task/change/update.ts'),
    ),
    verb('edit', 'change it in your editor', () => import('./task/change/edit.ts')),
    verb('delete', 'remove it and every reference to it', () => import('./task/change/delete.ts')),
    verb('dep', 'add or rm: what waits for what', () => import('./task/change/dep.ts')),
    verb('label', 'add a label', () => import('./task/change/label.ts')),
    verb('show', 'one task in full', () => import('./task/look/show.ts')),
    verb('list', 'all tasks', () => import('./task/look/list.ts')),
    verb('blocked', 'what waits, and for what', () => import('./task/look/blocked.ts')),
    verb('search', 'by words in subject or description', () => import('./task/look/search.ts')),
    verb('tree', 'who waits for whom, as a tree', () => import('./task/look/tree.ts')),
    verb('graph', 'the same as text, Mermaid or DOT', () => import('./task/look/graph.ts')),
    verb('count', 'how many in each state', () => import('./task/look/count.ts')),
    verb('status', 'where the list stands', () => import('./task/look/status.ts')),
    verb('watch', 'follow the list live', () => import('./task/look/watch.ts')),
  ],
};
