import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, SAGA } from '../rig/programs/run-program.ts';
import { createTmuxServer } from '../rig/worker/tmux-server.ts';
import { createWorkshop, type Workshop } from '../rig/worker/workshop.ts';

const README = readFileSync('README.md', 'utf8');

/** The fenced blocks of a section, oldest first. */
function blocksOf(section: string, language: string): string[] {
  const start = README.indexOf(`\n## ${section}\n`);
  expect(start, `README has a section "${section}"`).toBeGreaterThan(0);
  const text = README.slice(start + 1).split(/\n## /)[0] ?? '';
  const fences = text.matchAll(/^```(\w*)\n(.*?)^```$/gms);
  return [...fences].flatMap(([, found, body = '']) => (found === language ? [body] : []));
}

/** A repository of their own, that has never seen SAGA, and `saga` on PATH. */
async function openRepository(it: Workshop) {
  const bin = join(it.home, 'bin');
  mkdirSync(bin);
  symlinkSync(SAGA, join(bin, 'saga'));
  it.git('rm', '-rq', '.saga');
  it.write('package.json', { scripts: { test: 'node --version' } });
  it.git('add', '-A');
  it.git('commit', '-qm', 'A project with tests');
  it.git('push', '-q', 'origin', 'main');
  const PATH = `${bin}:${it.environment.PATH}`;
  return (script: string, env: Record<string, string> = {}) =>
    runCommand('bash', ['-ec', script], {
      cwd: it.root,
      env: { ...it.environment, ...env, PATH, COLUMNS: '100' },
    });
}

test('the first story, typed as the README says, ends as a pull request that is ready', async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  const type = await openRepository(it);
  const [plan = '', rehearse = '', run = '', merge = '', ...more] = blocksOf(
    'Your first story',
    'sh',
  );
  expect(more).toEqual([]);

  const planned = await type(plan);
  expect({ code: planned.code, stderr: planned.stderr }).toEqual({ code: 0, stderr: '' });
  expect(planned.stdout).toContain('○ fix-the-logout-button  0/2  ready');

  const rehearsed = await type(rehearse);
  expect({ code: rehearsed.code, stderr: rehearsed.stderr }).toEqual({ code: 0, stderr: '' });
  const [shown = ''] = blocksOf('Your first story', '');
  const lines = shown.trimEnd().split('\n');
  const expected = lines.filter((line) => line !== '…').map(withoutFigures);
  const found = rehearsed.stdout.split('\n').map(withoutFigures);
  expect(expected.filter((line) => !found.includes(line))).toEqual([]);
  expect(rehearsed.stdout).toMatch(/✓ verify +npm test ended with code 0/);

  const ran = await type(run, tmux.environment);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
  expect(ran.stdout).toContain('all tasks completed, gate passed');
  expect((await type('saga status')).stdout).toMatch(
    /◇ fix-the-logout-button +2\/2 +in review: gate passed/,
  );
  expect(it.github.pulls).toMatchObject([
    { isDraft: false, title: 'Story: fix-the-logout-button' },
  ]);

  // A person at a terminal is asked; here nobody is.
  const landed = await type(merge.replace(/^saga land .*$/m, '$& --yes'));
  expect({ code: landed.code, stderr: landed.stderr }).toEqual({ code: 0, stderr: '' });
  expect(landed.stdout).toContain('merged into main by #1');
  expect((await type('saga status')).stdout).toMatch(/✓ fix-the-logout-button +2\/2/);
  expect((await type('saga inbox')).stdout).toBe('Nothing waits for you.\n');
});

/** Versions, counts and times differ from day to day. */
const withoutFigures = (line: string) => line.replace(/[\d.]+/g, '0').replace(/ · 1 warning/, '');

test('the epic of the README is a draft, and looks as shown', async () => {
  await using it = await createWorkshop();
  const type = await openRepository(it);
  const [draft = ''] = blocksOf('An epic', 'md');
  it.write('checkout.md', draft);
  await type('saga init');
  const [shown = ''] = blocksOf('An epic', '');
  for (const part of shown.split(/^\$ /m).slice(1)) {
    const [command = '', ...output] = part.trimEnd().split('\n');
    const { code, stdout } = await type(command);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').slice(0, output.length)).toEqual(output);
  }
});

test('what is typed at the top of the repository is there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const typed = [...README.matchAll(/^npm (?:run )?(\w[\w:]*)/gm)].map(([, name]) => name);
  const known = [...Object.keys(scripts), 'install'];
  expect(typed.length).toBeGreaterThan(3);
  expect(typed.filter((name) => !known.includes(name ?? ''))).toEqual([]);
});
