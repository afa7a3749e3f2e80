import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTaskList, printed, type TempTaskList } from '../../rig/client/temp-task-list.ts';

/** An editor that is a shell script; $1 is the copy it opens. */
function editWith(it: TempTaskList, script: string) {
  const editor = join(it.config, 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\n${script}\n`);
  chmodSync(editor, 0o755);
  return it.saga(['edit', 'a'], { env: { EDITOR: editor, TMPDIR: it.config } });
}

test('what the editor saves is saved', async () => {
  using it = createTaskList({ a: { metadata: { kept: 1 } } });
  expect(printed(await editWith(it, `sed -i 's/Do a/Done well/' "$1"`))).toBe('✓ saved a\n');
  expect(it.read('a')).toMatchObject({ subject: 'Done well', metadata: { kept: 1 } });
  expect(printed(await editWith(it, ':'))).toBe('Nothing changed.\n');
});

test.each([
  ['quotes', `'EDITOR' --wait`],
  ['a backslash', 'BACKSLASHED --wait'],
  ['a variable', '"$EDITORS/ed it" --wait'],
])('the shell reads an editor with %s, as it does for git', async (_, form) => {
  using it = createTaskList({ a: {} });
  const editors = join(it.config, 'my tools');
  mkdirSync(editors);
  const path = join(editors, 'ed it');
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --wait ] && sed -i 's/Do a/Done well/' "$2"\n`, {
    mode: 0o755,
  });
  const editor = form
    .replace('BACKSLASHED', path.replaceAll(' ', '\\ '))
    .replace("'EDITOR'", `'${path}'`);
  // The copy that is opened has characters of the shell in its path, too.
  const temp = join(it.config, 'a $(touch b) c');
  mkdirSync(temp);
  const env = { EDITOR: editor, EDITORS: editors, TMPDIR: temp };
  expect(printed(await it.saga(['edit', 'a'], { env }))).toBe('✓ saved a\n');
  expect(it.read('a')).toMatchObject({ subject: 'Done well' });
});

test('an editor that the shell does not find is named', async () => {
  using it = createTaskList({ a: {} });
  const env = { EDITOR: `'/no such/ed' --wait`, TMPDIR: it.config };
  const { code, stderr } = await it.saga(['edit', 'a'], { env });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`'/no such/ed' --wait cannot be started (exit code 127).`),
  ]);
  expect(stderr).toContain('Set EDITOR to an editor that is installed.');
});

test('invalid content is refused, and the text is kept', async () => {
  using it = createTaskList({ a: {} });
  const before = it.read('a');
  const { code, stderr } = await editWith(it, `sed -i 's/"pending"/"later"/' "$1"`);
  expect([code, stderr]).toEqual([1, expect.stringContaining('Not saved: a.json: "status"')]);
  const [kept = ''] = /\S*saga-edit-\S*/.exec(stderr) ?? [];
  expect(readFileSync(kept, 'utf8')).toContain('"later"');
  expect(it.read('a')).toEqual(before);
});

test.each([
  ['no JSON', 'echo "{" > "$1"', 'Not saved: a.json is not valid JSON'],
  ['another id', `sed -i 's/"id": "a"/"id": "b"/' "$1"`, 'the id may not change (a became b)'],
  ['no blocks', `sed -i '/"blocks"/d' "$1"`, 'Not saved: a.json: "blocks"'],
  ['an editor that fails', 'exit 4', 'editor.sh'],
  ['an editor that fails after a change', 'echo x > "$1"; exit 4', 'editor.sh'],
  ['a copy that was removed', 'rm "$1"', 'a.json'],
])('%s', async (_, script, says) => {
  using it = createTaskList({ a: {} });
  const before = it.read('a');
  const { code, stdout, stderr } = await editWith(it, script);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)]);
  expect(stderr).not.toContain('[internal]');
  expect(it.read('a')).toEqual(before);
  expect(it.files()).toEqual(['a.json']);
});

test('what somebody else changed meanwhile is not overwritten', async () => {
  using it = createTaskList({ a: {} });
  const meanwhile = `${JSON.stringify({ ...it.read('a'), status: 'completed' })}`;
  writeFileSync(join(it.config, 'meanwhile'), meanwhile);
  const { code, stderr } = await editWith(
    it,
    `cp ${it.config}/meanwhile ${it.folder}/a.json; sed -i 's/Do a/Mine/' "$1"`,
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining('was changed by another program')]);
  expect(it.read('a')).toMatchObject({ subject: 'Do a', status: 'completed' });
});

test('nothing is locked while the editor is open', async () => {
  using it = createTaskList({ a: {} });
  const seen = join(it.config, 'seen');
  await editWith(it, `ls ${it.folder} > ${seen}`);
  expect(readFileSync(seen, 'utf8')).toBe('a.json\n');
});

test('an unknown or broken task opens no editor', async () => {
  using it = createTaskList({ b: {} });
  const opened = join(it.config, 'opened');
  expect(printed(await editWith(it, `touch ${opened}`))).toContain('The list has no task "a".');
  it.write('a', '{');
  expect(printed(await editWith(it, `touch ${opened}`))).toContain(
    'a.json of the task list cannot',
  );
  expect(existsSync(opened)).toBe(false);
});
