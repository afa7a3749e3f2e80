import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlan, type Plan } from '../../../../test/rig/project/plan.ts';
import { editDefinition } from './edit.ts';

/** An editor that is a real program: it rewrites its file by a sed expression. */
function createEditor(plan: Plan, expression: string, also = ''): string {
  const path = join(plan.root, 'editor.sh');
  writeFileSync(path, `#!/bin/sh\nsed -i '${expression}' "$1"\n${also}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('a valid change is saved', async () => {
  using plan = createPlan();
  plan.story('api');
  const editor = createEditor(plan, 's/Do work/Do it well/');
  expect(await editDefinition(plan.paths, 'api', 'work', editor)).toEqual({
    file: '.saga/stories/api/work.json',
    changed: true,
    problems: [],
  });
  expect(readFileSync(join(plan.paths.stories, 'api/work.json'), 'utf8')).toContain('Do it well');
  expect(await editDefinition(plan.paths, 'api', 'work', 'true')).toMatchObject({ changed: false });
});

test.each<[string, string, RegExp]>([
  ['what is not JSON', 's/"id"/id/', /not valid JSON/],
  ['what does not fit', 's/pending/done/', /must be one of/],
  ['another id', 's/"work"/"other"/', /id may not change/],
])('%s is not saved, and not thrown away', async (_, expression, message) => {
  using plan = createPlan();
  plan.story('api');
  const file = join(plan.paths.stories, 'api/work.json');
  const before = readFileSync(file, 'utf8');
  const error = await editDefinition(
    plan.paths,
    'api',
    'work',
    createEditor(plan, expression),
  ).catch((it: unknown) => it as { code: string; message: string; hint: string });
  expect(error).toMatchObject({ code: 'edit-refused', message: expect.stringMatching(message) });
  expect(readFileSync(file, 'utf8')).toBe(before);
  const kept = 'hint' in error ? error.hint.replace('Your text is kept in ', '') : '';
  expect(existsSync(kept)).toBe(true);
});

test("somebody else's change meanwhile is not overwritten", async () => {
  using plan = createPlan();
  plan.story('api');
  const file = join(plan.paths.stories, 'api/story.json');
  const editor = createEditor(plan, 's/Story api/Mine/', `sed -i 's/Story api/Theirs/' '${file}'`);
  await expect(editDefinition(plan.paths, 'api', undefined, editor)).rejects.toMatchObject({
    code: 'edit-refused',
  });
  expect(readFileSync(file, 'utf8')).toContain('Theirs');
});

test('an editor that is missing or fails is named', async () => {
  using plan = createPlan();
  plan.story('api');
  await expect(
    editDefinition(plan.paths, 'api', undefined, 'no-such-editor'),
  ).rejects.toMatchObject({
    message: expect.stringContaining('no-such-editor'),
  });
  await expect(editDefinition(plan.paths, 'api', undefined, 'false')).rejects.toThrow(/code 1/);
});

test('after a slip the editor opens again with the reason above the text, and nothing is lost', async () => {
  using plan = createPlan();
  plan.story('api');
  // The first time a comma goes missing; the second time it comes back, with a field nobody knows.
  const editor = join(plan.root, 'editor.sh');
  const seen = join(plan.root, 'seen.txt');
  writeFileSync(
    editor,
    `#!/bin/sh
if grep -q "^// Not saved" "$1"; then
  cp "$1" '${seen}'
  sed -i 's/"Better"/"Better",\\n  "gidance": "Slowly.",/' "$1"
else
  sed -i 's/"Story api",/"Better"/' "$1"
fi
`,
  );
  chmodSync(editor, 0o755);
  expect(await editDefinition(plan.paths, 'api', undefined, editor)).toMatchObject({
    changed: true,
    problems: [
      { code: 'unknown-field', field: 'gidance', hint: expect.stringContaining('guidance') },
    ],
  });
  // The line is that of the file as it is seen, with the two remarks.
  expect(readFileSync(seen, 'utf8')).toMatch(
    /^\/\/ Not saved: story.json is not valid JSON \(line 6: .*\n\/\/ Correct it .*\n\{\n/,
  );
  expect(JSON.parse(readFileSync(join(plan.paths.stories, 'api/story.json'), 'utf8'))).toEqual({
    id: 'api',
    title: 'Better',
    gidance: 'Slowly.',
    description: 'About api.',
  });
});
