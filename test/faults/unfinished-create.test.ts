import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isUnfinished, killCreate, whenCommitted } from '../support/interrupt-create.ts';
import { createTempProject, story, type TempProject } from '../support/temp-project.ts';

const CHILD = { ...story('newcomer'), epic: 'big' };

test('saga check speaks of the unfinished create, and of nothing that it will mend', async () => {
  await using project = await interruptJoin(({ paths }) =>
    existsSync(join(paths.stories, 'newcomer')),
  );

  const { problems } = JSON.parse((await project.saga(['check', '--json'])).stdout);

  expect(problems).toEqual([expect.objectContaining({ code: 'unfinished-create' })]);
});

test('an edit of the epic that was acknowledged after the kill survives the next create', async () => {
  await using project = await interruptJoin(() => true);
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
  await using project = await interruptJoin(() => true);
  project.writeStory('done-long-ago');

  expect(await project.saga(['archive', 'done-long-ago'])).toMatchObject({ code: 0 });

  expect(isUnfinished(project)).toBe(false);
  expect(project.tree('stories')).toContain('stories/newcomer/story.json');
});

/** A project in which the create of a story for epic `big` was killed before the epic was written. */
async function interruptJoin(alsoHolds: (project: TempProject) => boolean): Promise<TempProject> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const project = await createTempProject();
    project.writeEpic('big', [{ id: 'first' }]);
    project.writeStory('first', { epic: 'big' });
    const isDone = () => project.read('epics/big.json').includes('newcomer');
    const moment = whenCommitted(project, isDone);
    await killCreate(project, CHILD, async () => {
      await moment();
      while (!alsoHolds(project) && !isDone());
    });
    if (isUnfinished(project) && !isDone() && alsoHolds(project)) return project;
    await project[Symbol.asyncDispose]();
  }
  throw new Error('No kill fell between the commit of a create and its last file.');
}
