import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { SAGA } from '../../rig/programs/run-program.ts';
import { buildTask } from '../../rig/project/plan-files.ts';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';

/** Clears the screen, sets the title, writes the clipboard, hides text, in both ways to say it. */
const HOSTILE = [
  '\u001b[2J\u001b[31mred\u001b[0m',
  '\u001b]0;owned\u0007',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u009b2J',
  '\u009d0;owned\u009c',
  '\rfake line\b\b',
  '\u202eevil\u2066',
  // What the printer might use itself to mark a colour: private characters and noncharacters.
  '\uf008hidden\uf01c',
  '\ufdd08\ufdd1\ufddfhidden\ufdef',
].join(' ');

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const STEERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Strong, quiet and the colours of states, on and off. */
const OURS = [1, 22, 31, 32, 33, 34, 39, 90].map((code) => `\u001b[${code}m`);

const COMMANDS = [
  'list',
  'list --archived',
  'status',
  'ready',
  'tree --tasks',
  'show loud',
  'show loud task-1',
  'show big',
  'journal loud',
  'search red',
  'graph',
  'graph loud',
  'graph loud --format mermaid',
  'graph --format dot',
  'check',
];

describe('no text from a file steers the terminal', () => {
  test.each(COMMANDS)('saga %s', async (command) => {
    await using project = await arrange();
    const { stdout, stderr } = await project.saga(command.split(' '));
    expect(findSteering(stdout + stderr)).toEqual([]);
    expect(stdout + stderr).toMatch(/\w/);
  });

  test.each(COMMANDS)('saga %s, with such names of files and folders', async (command) => {
    await using project = await arrangeNames();
    const { stdout, stderr } = await project.saga(command.split(' '));
    expect(findSteering(stdout + stderr)).toEqual([]);
  });

  test.each([
    ['show', HOSTILE],
    [HOSTILE],
    ['list', `--${HOSTILE}`],
    ['journal', 'loud', 'add', '--title', HOSTILE],
    ['config', HOSTILE],
    ['create', '--title', HOSTILE, '--task', HOSTILE],
    ['create', '--file', HOSTILE.replaceAll('/', '')],
  ])('a text from the command line %#', async (...words) => {
    await using project = await arrange();
    const { stdout, stderr } = await project.saga(words);
    expect(findSteering(stdout + stderr)).toEqual([]);
  });
});

test('on a real terminal nothing but colours gets through', async () => {
  await using project = await arrange();
  const command = `${process.execPath} ${SAGA} show loud; ${process.execPath} ${SAGA} status`;
  const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
    cwd: project.root,
    env: { PATH: process.env.PATH, TERM: 'xterm-256color' },
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours start with one
  const colours = /\u001b\[\d+m/g;
  expect(stdout).toMatch(colours);
  expect(findSteering(stdout.replace(colours, '').replaceAll('\r\n', '\n'))).toEqual([]);
  // Colours mean state: nothing is concealed, and none is left on at the end of a line.
  const used = new Set(stdout.match(colours));
  expect([...used].filter((it) => !OURS.includes(it))).toEqual([]);
});

/** The lines that would steer it, escaped: a failed test must not do what it warns of. */
function findSteering(output: string): string[] {
  const lines = output.split('\n').filter((line) => STEERS.test(line));
  return lines.map((line) =>
    line.replace(/[^\x20-\x7e]/g, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`),
  );
}

async function arrange(): Promise<TempProject> {
  const project = await createTempProject();
  const texts = { title: HOSTILE, description: HOSTILE, guidance: HOSTILE, labels: [HOSTILE] };
  const links = { branch: HOSTILE, pr: HOSTILE };
  project.writeStory('loud', { ...texts, ...links, epic: 'big' }, [
    { subject: HOSTILE, activeForm: HOSTILE, status: 'in_progress', doneWhen: HOSTILE },
    { subject: HOSTILE, [HOSTILE]: HOSTILE },
  ]);
  project.write('epics/big.json', {
    id: 'big',
    ...texts,
    ...links,
    children: [{ id: 'loud', blockedBy: [] }],
  });
  project.write('stories/loud/journal.md', `${HOSTILE}\n\n## Blocker: ${HOSTILE}\n\n${HOSTILE}\n`);
  project.writeStory('broken', { [HOSTILE]: 1, title: 7 }, [{ status: HOSTILE }]);
  return project;
}

/** The same in names, which nothing but the file system has checked. */
async function arrangeNames(): Promise<TempProject> {
  const project = await arrange();
  const name = HOSTILE.replaceAll('/', '');
  project.writeStory(name, {}, [{}]);
  project.write(`stories/${name}/journal.md`, '## Blocker: which?\n');
  project.write(`stories/loud/${name}.json`, buildTask(name));
  project.write(`stories/loud/${name}2.json`, { ...buildTask('x'), blockedBy: ['task-1'] });
  project.writeEpic(name, []);
  project.write(`epics/${name}2.json`, project.read('epics/big.json'));
  mkdirSync(join(project.paths.archivedStories, name), { recursive: true });
  return project;
}
