import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deriveId } from '@saga-ai/types/plan/ids';
import type { Item } from './items.ts';
import { MADE_AT, type Peer } from './peer.ts';

/** `backlog.md`: one Markdown file for each task; a Node script starts its program. */
export const createBacklog = (modules: string): Peer => ({
  name: 'backlog.md',
  start: [process.execPath, join(modules, 'backlog.md/cli.js')],
  ready: ['task', 'list', '--ready', '--plain'],
  list: ['task', 'list', '--plain'],
  write(folder, items) {
    const tasks = join(folder, 'backlog', 'tasks');
    mkdirSync(tasks, { recursive: true });
    writeFileSync(join(folder, 'backlog', 'config.yml'), CONFIG);
    for (const item of items) {
      const name = `task-${item.number} - ${deriveId(item.title)}.md`;
      writeFileSync(join(tasks, name), formatTask(item));
    }
  },
  // --plain loses the end of a long output when it goes to a pipe; --json does not.
  countAll: ['task', 'list', '--json'],
  countReady: ['task', 'list', '--ready', '--json'],
  count: (output) => JSON.parse(output).tasks.length,
});

/** As `backlog init --no-git` writes it: looking through branches would only cost it time. */
const CONFIG = `project_name: "bench"
default_status: "To Do"
statuses: ["To Do", "In Progress", "Done"]
labels: []
date_format: yyyy-mm-dd
remote_operations: false
auto_commit: false
filesystem_only: true
check_active_branches: false
task_prefix: "task"
`;

function formatTask(item: Item): string {
  const dependencies = item.blockedBy.map((number) => `\n  - TASK-${number}`).join('') || ' []';
  return `---
id: TASK-${item.number}
title: ${item.title}
status: ${item.completed ? 'Done' : 'To Do'}
assignee: []
created_date: '${MADE_AT.slice(0, 16).replace('T', ' ')}'
labels: []
dependencies:${dependencies}
ordinal: ${item.number * 1000}
---

## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
${item.text}
<!-- SECTION:DESCRIPTION:END -->
`;
}
