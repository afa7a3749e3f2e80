import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MADE_AT, type Peer } from './peer.ts';

/** `@zeeg/dex`: one JSON line for each task, run by Node. Lists what is not completed. */
export const createDex = (modules: string): Peer => ({
  name: 'dex',
  start: [process.execPath, join(modules, '@zeeg/dex/dist/index.js')],
  ready: ['list', '--ready'],
  list: ['list'],
  write(folder, items) {
    mkdirSync(join(folder, '.dex'));
    // Without it, dex keeps its tasks in the home folder.
    mkdirSync(join(folder, '.git'));
    const lines = items.map((item) =>
      JSON.stringify({
        id: formatId(item.number),
        parent_id: null,
        name: item.title,
        description: item.text,
        priority: 1,
        completed: item.completed,
        result: item.completed ? 'Done.' : null,
        metadata: null,
        created_at: MADE_AT,
        updated_at: MADE_AT,
        started_at: item.completed ? MADE_AT : null,
        completed_at: item.completed ? MADE_AT : null,
        blockedBy: item.blockedBy.map(formatId),
        blocks: item.blocks.map(formatId),
        children: [],
      }),
    );
    writeFileSync(join(folder, '.dex', 'tasks.jsonl'), `${lines.join('\n')}\n`);
  },
  countAll: ['list', '--all', '--json'],
  countReady: ['list', '--ready', '--json'],
  count: (output) => JSON.parse(output).length,
});

const formatId = (number: number) => number.toString(36).padStart(8, '0');
