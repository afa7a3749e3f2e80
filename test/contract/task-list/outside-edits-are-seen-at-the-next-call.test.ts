import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { bash, list, sorted, update } from '../support/tasks-call-tools.ts';

contract(
  'tasks that another process adds, edits or removes during a run are what the next call sees',
  {},
  async (stage) => {
    stage.writeTask('edited');
    stage.writeTask('removed');
    const go = join(stage.repo, 'go');
    const { seen, ended, model } = await stage.start({
      turns: [
        { calls: [list] },
        { calls: [bash(`for i in $(seq 200); do [ -e '${go}' ] && break; sleep 0.1; done`)] },
        { calls: [list] },
        { calls: [update('edited', { owner: 'me' })] },
        { text: 'Done.' },
      ],
    });
    // The first list has been answered when the second call is there.
    await seen((it) => it.type === 'assistant' && JSON.stringify(it.message).includes('seq 200'));
    stage.writeTask('added');
    stage.writeTask('edited', { subject: 'Edited', status: 'completed', metadata: { outside: 1 } });
    rmSync(join(stage.tasks, 'removed.json'));
    writeFileSync(go, '');
    expect((await ended).code).toBe(0);
    model.check();
    const calls = model.requests.at(-1)?.conversation.calls ?? [];
    expect(sorted(calls[0]?.result?.text)).toEqual([
      '#edited [pending] Do edited',
      '#removed [pending] Do removed',
    ]);
    expect(sorted(calls[2]?.result?.text)).toEqual([
      '#added [pending] Do added',
      '#edited [completed] Edited',
    ]);
    expect(stage.readTask('edited')).toMatchObject({
      status: 'completed',
      owner: 'me',
      metadata: { outside: 1 },
    });
  },
);
