import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MADE_AT, type Peer } from './peer.ts';

const EVERY = ['--limit', '1000000', '--format', 'ids'];

/** `@os-eco/seeds-cli`: one JSON line for each issue, run by bun. Prints 50 unless told otherwise. */
export const createSeeds = (modules: string): Peer => ({
  name: 'seeds',
  start: [join(modules, 'bun/bin/bun.exe'), join(modules, '@os-eco/seeds-cli/src/index.ts')],
  ready: ['ready'],
  list: ['list'],
  write(folder, items) {
    const home = join(folder, '.seeds');
    mkdirSync(home);
    writeFileSync(join(home, 'config.yaml'), 'project: "bench"\nversion: "1"\n');
    writeFileSync(join(home, 'plans.jsonl'), '');
    writeFileSync(join(home, 'templates.jsonl'), '');
    const lines = items.map((item) =>
      JSON.stringify({
        id: formatId(item.number),
        title: item.title,
        status: item.completed ? 'closed' : 'open',
        type: 'task',
        priority: 2,
        createdAt: MADE_AT,
        updatedAt: MADE_AT,
        description: item.text,
        blockedBy: item.blockedBy.length > 0 ? item.blockedBy.map(formatId) : undefined,
        blocks: item.blocks.length > 0 ? item.blocks.map(formatId) : undefined,
        closedAt: item.completed ? MADE_AT : undefined,
      }),
    );
    writeFileSync(join(home, 'issues.jsonl'), `${lines.join('\n')}\n`);
  },
  countAll: ['list', '--all', ...EVERY],
  countReady: ['ready', ...EVERY],
  count: (output) => output.match(/^bench-/gm)?.length ?? 0,
});

const formatId = (number: number) => `bench-${number.toString(16).padStart(4, '0')}`;
