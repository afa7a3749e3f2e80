import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bash, findAnswers, misbehave } from '../rig/worker/misbehave.ts';
import { createWorkshop } from '../rig/worker/workshop.ts';

/** Every file below a folder that holds the word. */
function findWord(folder: string, word: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'utf8').includes(word));
}

test('keys that a run and verify print reach neither log, record, evidence nor pull request', async () => {
  const trials = [bash('env'), bash('echo "token: $DEPLOY_TOKEN"')];
  await using it = await createWorkshop({ model: { policy: misbehave(trials) } });
  it.story('cart', { verify: 'env; echo "deploy with $DEPLOY_TOKEN"' }, { one: {} });
  const env = { ANTHROPIC_API_KEY: 'sk-dummy-CANARY', DEPLOY_TOKEN: 'deploy-CANARY' };
  const ended = await it.saga(['worker', 'cart'], { env });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  // The run and the verify command really had what they printed.
  expect(findAnswers(it, 2).map(({ text }) => text.includes('deploy-CANARY'))).toEqual([
    true,
    true,
  ]);
  const evidence = it.readStory('cart', 'evidence.json');
  expect(evidence).toContain('deploy with [hidden: DEPLOY_TOKEN]');
  expect(evidence).not.toContain('ANTHROPIC_API_KEY');
  const log = readFileSync(it.outputFiles()[0] ?? '', 'utf8');
  expect(log).toContain('[hidden: ANTHROPIC_API_KEY]');
  expect(ended.stdout).not.toContain('CANARY');
  expect(JSON.stringify(it.github.pulls)).not.toContain('CANARY');
  const sessions = it.environment.SAGA_SESSION_DIR ?? '';
  const worktree = join(it.worktrees, 'cart');
  expect([it.paths.saga, sessions, worktree].flatMap((it) => findWord(it, 'CANARY'))).toEqual([]);
  const [record = ''] = readdirSync(it.paths.sessions);
  expect(statSync(join(it.paths.sessions, record)).mode & 0o777).toBe(0o600);
});
