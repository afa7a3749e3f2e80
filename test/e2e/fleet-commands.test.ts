import { expect, test } from 'vitest';
import { startPostgres } from '../rig/postgres/start-postgres.ts';
import { runProgram, SAGA } from '../rig/programs/run-program.ts';
import { createProject } from '../rig/project/project.ts';
import { expectJson } from '../rig/screens/expect-json.ts';

/** Each machine is here only as long as the test says so: it reports once and then stays listed. */
test('the commands of a fleet print what they declare, and the address never with its password', async () => {
  await using postgres = await startPostgres();
  using project = createProject({ tasks: ['one'] });
  const fleet = { SAGA_ENGINE_URL: postgres.url, SAGA_ENGINE_LEASE_SECONDS: '3600' };
  const options = { cwd: project.root, env: { ...project.env, ...fleet } };
  const saga = (words: string[]) => runProgram(SAGA, words, options);
  const call = async (text: string, code = 0) => {
    const words = text.split(' ');
    const plain = await saga(words);
    const ended = await saga([...words, '--json']);
    expect([ended.code, text], ended.stdout + ended.stderr).toEqual([code, text]);
    for (const said of [plain.stdout, plain.stderr, ended.stdout, ended.stderr]) {
      expect(said).not.toContain(postgres.password);
      expect(said).not.toContain(encodeURIComponent(postgres.password));
    }
    return ended.stdout;
  };
  const early = await saga(['fleet']);
  expect(early).toMatchObject({ code: 1, stdout: '' });
  expect(early.stderr).toContain('saga fleet init');

  await expectJson('fleet init', await call('fleet init'));
  const none = await saga(['fleet']);
  expect(none.stdout).toContain('No machine is in the fleet. Start one: saga agent');
  // `--once` ends as nothing is left to do; a machine that ends in order is no longer listed.
  const repository = project.git('remote', 'get-url', 'origin').trim();
  await expectJson('agent', await call(`agent --once --name anna --repo ${repository}`));

  const { openEngine } = await import('@saga-ai/engine/open-engine');
  const engine = await openEngine({ url: postgres.url, name: 'test', role: 'reader' });
  await engine.machines.report({
    name: 'anna',
    instance: 'a',
    labels: ['gpu'],
    repositories: [],
    jobs: 1,
    sagaVersion: '0.1.0',
    clientVersion: '2.1.325',
  });
  await engine.close();
  await expectJson('fleet list', await call('fleet list'));
  expect((await saga(['fleet'])).stdout).toMatch(/✓ anna +idle/);
  await expectJson('fleet pause', await call('fleet pause anna'));
  expect((await saga(['fleet'])).stdout).toMatch(/anna +paused/);
  await expectJson('fleet resume', await call('fleet resume anna'));
  await expectJson('fleet drain', await call('fleet drain anna'));
  await expectJson('fleet remove', await call('fleet remove anna'));
  expect(JSON.parse(await call('fleet pause bert', 1)).error).toMatchObject({ code: 'not-found' });
});
