import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { openGh } from './gh.ts';

const DRAFT = { title: 'Story: cart', body: 'The cart.', head: 'story/cart', base: 'main' };

/** A gh that takes everything and says one thing. */
function openSaying(it: ReturnType<typeof createProject>, said: string) {
  it.write('bin/gh', `#!/bin/sh\ncat > /dev/null\necho '${said}'\n`);
  chmodSync(join(it.root, 'bin/gh'), 0o755);
  return openGh(it.root, { ...it.env, PATH: `${join(it.root, 'bin')}:${it.env.PATH}` });
}

test('a draft that was opened has the number of its address', async () => {
  using it = createProject();
  const url = 'https://github.com/acme/widgets/pull/7';
  expect(await openSaying(it, url).createDraft(DRAFT)).toEqual({
    ...{ number: 7, url, state: 'OPEN', isDraft: true },
  });
});

test('an answer without a number is a refusal, not a pull request without one', async () => {
  using it = createProject();
  await expect(openSaying(it, 'Done!').createDraft(DRAFT)).rejects.toMatchObject({
    name: 'GhRefusal',
    message: 'gh named no pull request: Done!',
  });
});
