import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';
import { openTerminal } from '../../rig/worker/terminal.ts';

/** An editor that keeps what it is given as `opened-1`, `opened-2` …, and then does what the steps say, one each. */
function createEditor(project: TempProject, ...steps: string[]): Record<string, string> {
  const script = join(project.root, 'editor.sh');
  const cases = steps.map((step, i) => `  ${i + 1}) ${step} ;;`).join('\n');
  const lines = [
    '#!/bin/sh',
    `count=$(($(ls ${project.root} | grep -c '^opened-') + 1))`,
    `cp "$1" ${project.root}/opened-$count`,
    `case $count in\n${cases}\nesac`,
  ];
  writeFileSync(script, `${lines.join('\n')}\n`, { mode: 0o755 });
  return { EDITOR: script, VISUAL: '' };
}

const opened = (project: TempProject, count: number) =>
  readFileSync(join(project.root, `opened-${count}`), 'utf8');

test('saga create opens a template, and opens it again with the slip on top until it holds', async () => {
  await using project = await createTempProject();
  const env = createEditor(
    project,
    `printf '## Reset\\n\\n**Verfy:** \\140true\\140\\n' > "$1"`,
    `sed -i 's/Verfy/Verify/' "$1"`,
  );
  using terminal = openTerminal(project.root, ['create'], env);
  await terminal.shows(/✓ reset: 1 story[\s\S]*ended with 0/);
  expect(opened(project, 1)).toContain('## Title of the story');
  expect(opened(project, 2)).toMatch(
    /^<!-- Not created: plan\.md, line 5: .*Verfy.* -->\n<!-- Correct it and save\..* -->\n## Reset\n/,
  );
  expect(project.json('stories/reset/story.json')).toMatchObject({
    title: 'Reset',
    verify: 'true',
  });
});

test('a template that is left as it is creates nothing; a slip that is left as it is keeps the text', async () => {
  await using project = await createTempProject();
  {
    using terminal = openTerminal(project.root, ['create'], createEditor(project, 'true'));
    await terminal.shows(/Nothing was created: the template is unchanged\.\nended with 0/);
  }
  await using other = await createTempProject();
  const env = createEditor(other, `echo 'No heading' > "$1"`, 'true');
  using terminal = openTerminal(other.root, ['create'], { ...env, TMPDIR: other.root });
  await terminal.shows(/Not created: plan\.md, line 1:[\s\S]*ended with 1/);
  // A path may be wrapped at the edge of the terminal.
  const [, kept = ''] = /Your text is kept in\s+(\S[\s\S]*?plan\.md)/.exec(terminal.text()) ?? [];
  expect(readFileSync(kept.replace(/\s+/g, ''), 'utf8')).toBe('No heading\n');
  expect(other.tree('stories').filter((it) => it.endsWith('story.json'))).toEqual([]);
});

test('templates of the project come first, by name; a wrong name says which there are', async () => {
  await using project = await createTempProject();
  mkdirSync(join(project.root, '.saga/templates'));
  const bug = '## Bug: what is wrong\n\n**Done when:** a test fails before and passes after\n';
  writeFileSync(join(project.root, '.saga/templates/bug.md'), bug);
  writeFileSync(join(project.root, '.saga/templates/story.md'), '## Our story\n');
  const env = createEditor(project, `sed -i 's/what is wrong/totals/' "$1"`, 'true');
  {
    using terminal = openTerminal(project.root, ['create', '--template', 'bug'], env);
    await terminal.shows(/✓ bug-totals: 1 story[\s\S]*ended with 0/);
  }
  expect(opened(project, 1)).toBe(bug);
  {
    using terminal = openTerminal(project.root, ['create'], env);
    await terminal.shows(/Nothing was created: the template is unchanged\./);
  }
  expect(opened(project, 2)).toBe('## Our story\n');
  const wrong = await project.saga(['create', '--template', 'bgu']);
  expect(wrong).toMatchObject({ code: 1 });
  expect(wrong.stderr).toContain('Did you mean bug? Templates: bug, epic, story.');
});
