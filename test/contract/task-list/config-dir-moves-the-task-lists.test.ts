import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, create, list } from '../support/tasks-call-tools.ts';

contract(
  'CLAUDE_CONFIG_DIR moves the task lists, and everything else that the client writes',
  {},
  async (stage) => {
    stage.writeTask('at-home');
    const before = readdirSync(stage.home, { recursive: true }).toSorted();
    const config = join(stage.home, '..', 'config');
    mkdirSync(config);
    const { shown } = await callTools(stage, [list, create('N')], {
      env: { CLAUDE_CONFIG_DIR: config },
    });
    expect(shown[0]).toBe('No tasks found');
    expect(readdirSync(join(config, 'tasks', stage.listId))).toContain('1.json');
    expect(readdirSync(config)).toContain('.claude.json');
    expect(withoutNpm(readdirSync(stage.home, { recursive: true }))).toEqual(withoutNpm(before));
  },
);

/** 2.1.30 asks npm for its place, and npm keeps a log. */
function withoutNpm(paths: (string | Buffer)[]): string[] {
  return paths
    .map(String)
    .filter((path) => !path.startsWith('.npm'))
    .toSorted();
}
