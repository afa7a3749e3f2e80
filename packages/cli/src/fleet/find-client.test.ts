import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agent } from '@saga-ai/core/agents/chosen';
import { buildPaths } from '@saga-ai/core/project/paths';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { findClient } from './find-client.ts';

test("the client of the person's own settings counts, and the environment before it", async () => {
  using folder = createTempFolder();
  const env = { HOME: folder.path, PATH: '/usr/bin:/bin' };
  const paths = buildPaths(folder.path);
  const write = (name: string, version: string) => {
    const path = join(folder.path, name);
    writeFileSync(path, `#!/bin/sh\necho '${version} (Claude Code)'\n`, { mode: 0o755 });
    return path;
  };
  expect(await findClient(paths, env)).toBe('none');
  const [oldest, newest] = [agent.versions.oldest, agent.versions.tested.at(-1) ?? ''];
  mkdirSync(join(folder.path, '.config/saga'), { recursive: true });
  writeFileSync(
    join(folder.path, '.config/saga/config.json'),
    JSON.stringify({ worker: { claudePath: write('own', newest) } }),
  );
  expect(await findClient(paths, env)).toBe(newest);
  const given = { ...env, SAGA_WORKER_CLAUDE_PATH: write('given', oldest) };
  expect(await findClient(paths, given)).toBe(oldest);
});
