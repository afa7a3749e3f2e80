import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { processesOf } from '../programs/processes-of.ts';
import type { Workshop } from './workshop.ts';

/** Returns everything that a command could leave in a repository, its remote and its temporary folder. */
export function lookAround(it: Workshop, root = it.root) {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...args], { env: it.environment, encoding: 'utf8' });
  const refs = ['for-each-ref', '--format=%(objectname) %(refname)'];
  return {
    refs: git(...refs),
    status: git('--no-optional-locks', 'status', '--porcelain', '--branch'),
    index: git('ls-files', '-s'),
    worktrees: git('worktree', 'list', '--porcelain'),
    config: readFileSync(join(root, '.git/config'), 'utf8'),
    origin: existsSync(it.origin)
      ? execFileSync('git', ['-C', it.origin, ...refs], { encoding: 'utf8' })
      : '',
    temp: readdirSync(it.environment.TMPDIR ?? '').filter((name) => name !== 'node-compile-cache'),
    sessions: it.outputFiles(),
    home: readdirSync(it.home).toSorted(),
  };
}

/** Expects that no command of a workshop is running. */
export function expectNothingRunning({ root }: Workshop): void {
  expect(processesOf(root)).toEqual([]);
}
