import { opendirSync } from 'node:fs';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { callTools, list } from '../support/tasks-call-tools.ts';

const IDS = [...'qwertzuiopasdfghjkly'].map((letter) => `task-${letter}`);

contract(
  'TaskList has the order in which the file system lists the folder',
  { since: '2.1.113' },
  async (stage) => {
    for (const id of IDS) stage.writeTask(id);
    expect(await listIds(stage)).toEqual(readFolder(stage.tasks));
  },
);

contract(
  'TaskList is in the order of the ids: the client runs on Node, which sorts',
  { until: '2.1.113' },
  async (stage) => {
    for (const id of IDS) stage.writeTask(id);
    expect(await listIds(stage)).toEqual(IDS.toSorted());
  },
);

async function listIds(stage: Stage): Promise<string[]> {
  const { results } = await callTools(stage, [list]);
  return results.flatMap(({ tasks }) => tasks).map(({ id }) => id);
}

/** Not readdir: that one sorts. */
function readFolder(path: string): string[] {
  const ids: string[] = [];
  using folder = opendirSync(path);
  for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
    ids.push(entry.name.replace('.json', ''));
  }
  return ids;
}
