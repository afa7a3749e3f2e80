import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempProject } from '../../rig/project/temp-project.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';

const GOOD =
  '## Cart\n\n**Done when:** x prints 3.\n**Verify:** `npm test`\n\n- Write src/cart.js\n';

test('saga create --check judges a draft and creates nothing', async () => {
  await using project = await createTempProject();
  const check = (input: string, ...more: string[]) =>
    project.saga(['create', '--check', '-', ...more], { input });
  expect(await check(GOOD)).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: '✓ the draft is valid, no advice. Nothing was created.\n',
  });
  const vague = await check('## Cart\n\n- Improve things\n');
  expect(vague.code).toBe(0);
  expect(vague.stdout).toMatch(/! no-done-when[\s\S]*✓ the draft is valid, 3 pieces of advice/);
  const bad = await check('## Cart\n\n**Gidance:** x\n');
  expect(bad).toMatchObject({ code: 1, stderr: expect.stringContaining('line 3') });
  const { stdout } = await check('## Cart\n\n- Improve things\n', '--json');
  await expectJson('create', stdout);
  expect(JSON.parse(stdout)).toMatchObject({ created: { stories: [], tasks: 0 } });
  expect(existsSync(join(project.paths.stories, 'cart'))).toBe(false);
  const titled = await project.saga(['create', '--check', '--title', 'Cart', '--task', 'Do it']);
  expect(titled.stdout).toContain('Nothing was created.');
  expect(existsSync(join(project.paths.stories, 'cart'))).toBe(false);
});

test('saga inbox --brief is one line of ids and kinds, and nothing if nothing waits', async () => {
  await using project = await createTempProject();
  await project.saga(['create', '-'], { input: GOOD });
  expect(await project.saga(['inbox', '--brief'])).toMatchObject({ code: 0, stdout: '' });
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    project.write(`stories/${id}/story.json`, { id, title: id, description: '' });
    project.write(`stories/${id}/journal.md`, '## Blocker: Evil words\n\nx\n');
  }
  const { stdout } = await project.saga(['inbox', '--brief']);
  expect(stdout).toMatch(/^(?:[a-g] \(open question\), ){5}2 more\n$/);
});
