import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStage } from '../../rig/client/stage.ts';
import { SAGA } from '../../rig/programs/run-program.ts';
import { MARKETPLACE, PLUGIN } from '../../rig/worker/plugin-session.ts';

const SKILLS = readdirSync(join(PLUGIN, 'skills'));
const { version: VERSION } = JSON.parse(readFileSync(join(SAGA, '../../package.json'), 'utf8'));

test('the client finds the plugin and the marketplace valid', async () => {
  await using stage = await createStage();
  for (const folder of [PLUGIN, MARKETPLACE]) {
    const { code, stdout } = await stage.command(['plugin', 'validate', folder]);
    expect({ folder, code, stdout }).toMatchObject({ code: 0 });
  }
});

test('from the local marketplace it installs offline, and a session has all its parts', async () => {
  await using stage = await createStage();
  const added = await stage.command(['plugin', 'marketplace', 'add', MARKETPLACE]);
  expect({ code: added.code, stderr: added.stderr }).toEqual({ code: 0, stderr: '' });
  expect((await stage.command(['plugin', 'install', 'saga@saga'])).code).toBe(0);
  // The client may have copied the plugin out of the clone.
  const bin = join(stage.home, 'own/bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(SAGA, join(bin, 'saga'));
  const { init, code, model } = await stage.run({
    bareArgs: ['-p', '--output-format', 'stream-json', '--verbose'],
    plain: true,
    turns: [{ calls: [{ tool: 'Bash', input: { command: 'saga --version' } }] }, { text: 'Done.' }],
    args: ['--allowedTools', 'Bash'],
    env: { PATH: `${join(process.execPath, '..')}:${bin}:/usr/bin:/bin` },
  });
  expect(code).toBe(0);
  const [call] = model.requests.at(-1)?.conversation.calls ?? [];
  expect(call?.result?.text.trim()).toBe(VERSION);
  expect(init?.plugins).toContainEqual(expect.objectContaining({ name: 'saga' }));
  expect(init?.skills).toEqual(expect.arrayContaining(SKILLS.map((name) => `saga:${name}`)));
  expect(init?.agents).toEqual(expect.arrayContaining(['saga:shaper', 'saga:reviewer']));
});

test('saga is on the PATH of the Bash tool', async () => {
  await using stage = await createStage();
  const { model } = await stage.run({
    turns: [{ calls: [{ tool: 'Bash', input: { command: 'saga --version' } }] }, { text: 'Done.' }],
    args: ['--plugin-dir', PLUGIN],
    env: { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin` },
  });
  const [call] = model.requests.at(-1)?.conversation.calls ?? [];
  expect(call?.result?.text.trim()).toBe(VERSION);
});

test('one version everywhere, and no path of a machine in what is shipped', () => {
  const read = (path: string) => readFileSync(join(MARKETPLACE, path), 'utf8');
  const plugin = JSON.parse(read('plugin/.claude-plugin/plugin.json'));
  const market = JSON.parse(read('.claude-plugin/marketplace.json'));
  expect([plugin.version, market.plugins[0].version]).toEqual([VERSION, VERSION]);
  for (const name of readdirSync(join(SAGA, '..'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.\w+$/.test(name)) continue;
    expect(read(`packages/cli/dist/${name}`)).not.toContain(MARKETPLACE.replace(/\/$/, ''));
  }
});
