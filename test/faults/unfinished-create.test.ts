import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isUnfinished } from '../rig/faults/interrupt-create.ts';
import { buildStory } from '../rig/project/plan-files.ts';
import { createTempProject, type TempProject } from '../rig/project/temp-project.ts';

const KILL_BEFORE_RENAME = fileURLToPath(
  new URL('./programs/kill-before-rename.cjs', import.meta.url),
);
const CHILD = { ...buildStory('newcomer'), epic: 'big' };

test('saga check speaks of the unfinished create, and of nothing that it will mend', async () => {
  await using project = await interruptJoin();

  const { problems } = JSON.parse((await project.saga(['check', '--json'])).stdout);

  expect(problems).toEqual([expect.objectContaining({ code: 'unfinished-create' })]);
});

test('an edit of the epic that was acknowledged after the kill survives the next create', async () => {
  await using project = await interruptJoin();
  const editor = join(project.root, 'editor.sh');
  writeFileSync(editor, '#!/bin/sh\nsed -i s/"Epic big"/"A better title"/ "$1"\n');
  chmodSync(editor, 0o755);

  const edit = await project.saga(['edit', 'big'], { env: { EDITOR: editor } });
  const acknowledged = edit.stdout.startsWith('✓ saved');
  expect(await project.saga(['create', '--title', 'Next one'])).toMatchObject({ code: 0 });

  expect(project.json('epics/big.json')).toMatchObject({
    title: acknowledged ? 'A better title' : 'Epic big',
    children: [{ id: 'first' }, { id: 'newcomer' }],
  });
});

test('saga archive finishes it too, as the hint of saga check says', async () => {
  await using project = await interruptJoin();
  project.writeStory('done-long-ago');

  expect(await project.saga(['archive', 'done-long-ago'])).toMatchObject({ code: 0 });

  expect(isUnfinished(project)).toBe(false);
  expect(project.tree('stories')).toContain('stories/newcomer/story.json');
});

/** A project in which the create of a story for epic `big` was killed before the epic was written. */
async function interruptJoin(): Promise<TempProject> {
  const project = await createTempProject();
  project.writeEpic('big', [{ id: 'first' }]);
  project.writeStory('first', { epic: 'big' });
  const draft = join(project.root, 'draft.json');
  writeFileSync(draft, JSON.stringify(CHILD));
  const killed = await project.saga(['create', '--file', draft], {
    env: {
      NODE_OPTIONS: `--require ${KILL_BEFORE_RENAME}`,
      SAGA_TEST_KILL_BEFORE: join(project.paths.epics, 'big.json'),
    },
  });
  expect(killed).toEqual({ code: null, stdout: '', stderr: '' });
  expect(isUnfinished(project)).toBe(true);
  expect(existsSync(join(project.paths.stories, 'newcomer'))).toBe(true);
  return project;
}
