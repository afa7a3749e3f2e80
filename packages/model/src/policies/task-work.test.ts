import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToolCall } from '../turn.ts';
import { openBlocker, planWork } from './task-work.ts';

const NASTY = `it's "$HOME" \`id\` \\ $(false) %s !x\n-- end`;
const TIME = '2026-01-02T03:04:05.000Z';
let repo: string;
let journal: string;

beforeEach(() => {
  repo = mkdtempSync(join(tmpdir(), "saga-model-it's-"));
  journal = join(repo, 'journal.md');
  execFileSync('git', ['init', '-q', repo]);
});
afterEach(() => rmSync(repo, { recursive: true }));

function runInShell({ tool, input }: ToolCall): string {
  expect(tool).toBe('Bash');
  const env = {
    PATH: process.env.PATH,
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  };
  return execFileSync('sh', ['-c', String(input.command)], { cwd: repo, env, encoding: 'utf8' });
}

test('files, commands, journal and commit hold any text unharmed', () => {
  const calls = planWork(
    {
      write: { "o'dd/$file": NASTY },
      run: ['echo made > made.txt'],
      journal: { kind: 'Learning', title: NASTY, body: NASTY },
      commit: NASTY,
    },
    { cwd: repo, journal, tools: ['Bash'], time: TIME },
  );
  for (const call of calls) runInShell(call);

  expect(readFileSync(join(repo, "o'dd/$file"), 'utf8')).toBe(NASTY);
  const { entries } = parseJournal(readFileSync(journal, 'utf8'));
  expect(entries).toMatchObject([
    { kind: 'Learning', title: NASTY.replace('\n', ' '), body: NASTY, time: TIME },
  ]);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' });
  expect(git('log', '--format=%B').trim()).toBe(NASTY);
  expect(git('ls-files')).toContain('made.txt');
  expect(git('status', '--short')).toBe('');
});

test('a commit with nothing new is no failure', () => {
  const [commit] = planWork({ commit: 'a' }, { cwd: repo, journal, tools: ['Bash'], time: TIME });
  writeFileSync(join(repo, 'a'), 'a');
  if (commit) for (const _time of [1, 2]) runInShell(commit);
  expect(
    execFileSync('git', ['-C', repo, 'log', '--oneline'], { encoding: 'utf8' }).split('\n'),
  ).toHaveLength(2);
});

test('a blocker is opened once, and known as resolved by its title', () => {
  const call = openBlocker({ title: NASTY, body: 'Please say.' }, journal, TIME);
  expect(runInShell(call)).toBe('The blocker is open.\n');
  expect(runInShell(call)).toBe('The blocker is still open.\n');
  const read = () => parseJournal(readFileSync(journal, 'utf8')).entries;
  expect(findOpenBlockers(read())).toMatchObject([{ body: 'Please say.', time: TIME }]);

  appendFileSync(journal, `\n## Resolution: ${NASTY.replace('\n', ' ')} not quite\n`);
  expect(runInShell(call)).toBe('The blocker is still open.\n');
  appendFileSync(journal, `\n## ${TIME} Resolution: ${NASTY.replace('\n', ' ')}\n`);
  expect(runInShell(call)).toBe('The blocker is resolved.\n');
  expect(findOpenBlockers(read())).toEqual([]);
});
