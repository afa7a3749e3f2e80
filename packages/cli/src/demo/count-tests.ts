import { openGit } from '@saga-ai/core/git/git';
import { runProgram } from '@saga-ai/core/processes/run';
import type { DemoFolder } from './demo-folder.ts';

export interface TestCount {
  passed: number;
  total: number;
}

/** Runs the tests on the main branch of the sample repository and counts them. */
export async function countTests({ paths, env }: DemoFolder): Promise<TestCount> {
  const git = openGit(paths.root, env);
  const files = (await git.run(['ls-files', 'test'])).split('\n');
  const args = ['--test', '--test-reporter=tap', ...files];
  const options = { cwd: paths.root, env, timeoutMs: 60_000 };
  const { stdout } = await runProgram(process.execPath, args, options);
  const read = (word: string) =>
    Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(stdout)?.[1] ?? 0);
  return { passed: read('pass'), total: read('tests') };
}

/** Runs the till and returns what it prints, or its error. */
export async function tryTill({ paths, env }: DemoFolder, words: readonly string[]) {
  const options = { cwd: paths.root, env, timeoutMs: 20_000 };
  const { code, stdout } = await runProgram(process.execPath, ['src/till.js', ...words], options);
  return code === 0 ? stdout.trimEnd().split('\n') : undefined;
}
