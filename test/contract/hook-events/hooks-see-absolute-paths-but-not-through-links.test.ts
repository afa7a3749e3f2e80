import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { createHookLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { calls, DONE } from '../support/hooks-write.ts';

/** What a guard is told about each of these paths. */
async function seePaths(stage: Stage, paths: string[]): Promise<string[]> {
  const log = createHookLog(stage);
  const turns = paths.map((file_path) => calls('Write', { file_path, content: 'written' }));
  await stage.run({ turns: [...turns, DONE], settings: hooksOn('PreToolUse', log.hook) });
  return log.payloads().map((payload) => payload.tool_input.file_path);
}

contract(
  'file_path is absolute for a hook, with .. and ~ resolved',
  { since: '2.1.88' },
  async (stage) => {
    const { repo, home } = stage;
    const paths = ['relative.txt', `${repo}/sub/../dots.txt`, '~/tilde.txt'];
    expect(await seePaths(stage, paths)).toEqual([
      join(repo, 'relative.txt'),
      join(repo, 'dots.txt'),
      join(home, 'tilde.txt'),
    ]);
  },
);

contract('file_path is as the model wrote it', { until: '2.1.88' }, async (stage) => {
  const paths = ['relative.txt', `${stage.repo}/sub/../dots.txt`];
  expect(await seePaths(stage, paths)).toEqual(paths);
});

contract('file_path is not resolved through a link', {}, async (stage) => {
  const outside = join(stage.home, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, join(stage.repo, 'link'));
  const path = join(stage.repo, 'link', 'file.txt');
  expect(await seePaths(stage, [path])).toEqual([path]);
});
