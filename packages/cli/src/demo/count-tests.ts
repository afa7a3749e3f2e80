import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openGit } from '@saga-ai/core/git/git';
import { runProgram } from '@saga-ai/core/processes/run';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import type { DemoFolder } from './demo-folder.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

export interface TestCount {
  passed: number;
  total: number;
}

/**
 * Checks out what is merged so far: the newest commit of the epic's branch, without the branch itself, because the
 * scheduler moves it. Returns the folder.
 */
export async function checkOutMerged({ folder, paths, env }: DemoFolder): Promise<string> {
  const merged = join(folder, 'merged');
  const branch = formatEpicBranch(SAMPLE_PLAN.id);
  if (existsSync(merged)) await openGit(merged, env).run(['checkout', '-q', '--detach', branch]);
  else {
    const git = openGit(paths.root, env);
    const isBegun = (await git.resolve(`refs/heads/${branch}`)) !== undefined;
    await git.run(['worktree', 'add', '-q', '--detach', merged, isBegun ? branch : 'HEAD']);
  }
  return merged;
}

/** Runs the tests of a checkout of the sample and counts them. */
export async function countTests({ env }: DemoFolder, cwd: string): Promise<TestCount> {
  const files = (await openGit(cwd, env).run(['ls-files', 'test'])).split('\n');
  const args = ['--test', '--test-reporter=tap', ...files];
  const { stdout } = await runProgram(process.execPath, args, { cwd, env, timeoutMs: 60_000 });
  const read = (word: string) =>
    Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(stdout)?.[1] ?? 0);
  return { passed: read('pass'), total: read('tests') };
}

/** Runs the till of a checkout and returns what it prints, or undefined if it fails. */
export async function tryTill({ env }: DemoFolder, cwd: string, words: readonly string[]) {
  const options = { cwd, env, timeoutMs: 20_000 };
  const { code, stdout } = await runProgram(process.execPath, ['src/till.js', ...words], options);
  return code === 0 ? stdout.trimEnd().split('\n') : undefined;
}
