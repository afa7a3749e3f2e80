import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isUnfinished } from '../rig/faults/interrupt-create.ts';
import { createTempProject, type TempProject } from '../rig/project/temp-project.ts';

const KILL_BEFORE_RENAME = fileURLToPath(
  new URL('./programs/kill-before-rename.cjs', import.meta.url),
);

/** The places at which the edit is killed, in the order in which they are written. */
const PLACES = ['stories/a/story.json', 'stories/b/story.json', 'stories/c', 'epics/big.json'];

test.each(PLACES)(
  'an edit of an epic that is killed before %s is whole after the next command',
  async (place) => {
    await using project = await createEpic();
    await killEdit(project, place);
    expect(isUnfinished(project)).toBe(true);
    const { problems } = JSON.parse((await project.saga(['check', '--json'])).stdout);
    expect(problems).toEqual([expect.objectContaining({ code: 'unfinished-create' })]);
    expect(await project.saga(['create', '--title', 'Next one'])).toMatchObject({ code: 0 });
    expect(isUnfinished(project)).toBe(false);
    expect(describe(project)).toEqual(['Better a', 'Better b', 'a,b,c']);
    expect(await project.saga(['check'])).toMatchObject({ code: 0 });
  },
);

test('an edit that is killed before it is committed leaves nothing', async () => {
  await using project = await createEpic();
  const killed = await project.saga(['edit', 'big', '--markdown'], {
    env: { EDITOR: createEditor(project, 'kill -9 $PPID') },
  });
  expect(killed.code).toBe(null);
  expect(await project.saga(['create', '--title', 'Next one'])).toMatchObject({ code: 0 });
  expect(describe(project)).toEqual(['Story a', 'Story b', 'a,b']);
});

test('what somebody saved after the kill stays, and the rest of the edit is undone', async () => {
  await using project = await createEpic();
  await killEdit(project, 'stories/b/story.json');
  project.write('stories/b/story.json', { id: 'b', title: 'Mine', description: '', epic: 'big' });
  expect(await project.saga(['create', '--title', 'Next one'])).toMatchObject({ code: 0 });
  expect(describe(project)).toEqual(['Story a', 'Mine', 'a,b']);
  expect(isUnfinished(project)).toBe(false);
});

test('a repository cannot bring along a stage that writes elsewhere', async () => {
  await using project = await createEpic();
  const change = (story: string, name: string) => ({ story, name, before: null, after: '{}' });
  for (const [i, it] of [change('../..', 'escaped'), change('a', '../../escaped')].entries()) {
    project.write(`runs/staging/${i}/changes.json`, [it]);
    project.write(`runs/staging/${i}/committed`, ['a']);
    const next = await project.saga(['create', '--title', `Next ${i}`]);
    expect(next).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be finished') });
    await project.saga(['check']);
    expect(project.tree('.').filter((path) => path.includes('escaped'))).toEqual([]);
  }
});

async function createEpic(): Promise<TempProject> {
  const project = await createTempProject();
  project.writeEpic('big', [{ id: 'a' }, { id: 'b' }]);
  for (const id of ['a', 'b']) project.writeStory(id, { epic: 'big' });
  return project;
}

function createEditor(project: TempProject, script: string): string {
  const editor = join(project.root, 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\n${script}\n`);
  chmodSync(editor, 0o755);
  return editor;
}

async function killEdit(project: TempProject, place: string): Promise<void> {
  const script = `sed -i 's/^## Story \\(.\\) {.*/## Better \\1 {#\\1}/' "$1"; printf '\\n## C\\n\\n- Do c\\n' >> "$1"`;
  const killed = await project.saga(['edit', 'big', '--markdown'], {
    env: {
      EDITOR: createEditor(project, script),
      NODE_OPTIONS: `--require ${KILL_BEFORE_RENAME}`,
      SAGA_TEST_KILL_BEFORE: join(project.paths.saga, place),
    },
  });
  expect(killed.code, killed.stderr).toBe(null);
}

/** The titles of the stories, and the children of the epic. */
function describe(project: TempProject): unknown[] {
  const { children } = project.json('epics/big.json') as { children: { id: string }[] };
  const titles = ['a', 'b'].map((id) => project.json(`stories/${id}/story.json`).title);
  return [...titles, children.map(({ id }) => id).join()];
}
