import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bash, findAnswers, misbehave } from './misbehave.ts';
import { createWorkshop, type Workshop } from './workshop.ts';

/** A story whose run first does something by Bash, beside an epic and another story. */
export interface Misdeed extends Workshop {
  worktree: string;
  code: number | null;
  stdout: string;
  /** Paths below the put-back folder of the last run. */
  keptAside(): string[];
  readKept(path: string): string;
  /** Files of the plan that differ between the base and what was pushed. */
  pushedPlan(): string[];
  eventsOf(type: string): Record<string, unknown>[];
}

export async function runMisdeed(
  commands: readonly string[],
  prepare: (it: Workshop) => void = () => {},
  /** What a run can reach depends on the sandbox, so each test names its value. */
  sandbox: 'off' | 'required' = 'off',
): Promise<Misdeed> {
  const it = await createWorkshop({ model: { policy: misbehave(commands.map(bash)) } });
  it.epic('shop', {});
  it.story('other', {}, { x: {} });
  it.git('add', '-A');
  it.git('commit', '-qm', 'The plan');
  it.git('push', '-q', 'origin', 'main');
  it.story('cart', { description: 'About the cart.' }, { one: {} });
  prepare(it);
  const env = { SAGA_WORKER_SANDBOX: sandbox };
  const { code, stdout } = await it.saga(['worker', 'cart'], { env });
  const answers = findAnswers(it, commands.length);
  expect(answers.map(({ isError, text }) => (isError ? text : ''))).toEqual(commands.map(() => ''));
  const putBack = () => {
    const folder = join(it.paths.runs, 'put-back');
    const [session = ''] = existsSync(folder) ? readdirSync(folder) : [];
    const [run = ''] = session === '' ? [] : readdirSync(join(folder, session));
    return join(folder, session, run);
  };
  return {
    ...it,
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
    worktree: join(it.root, '../project.stories/cart'),
    code,
    stdout,
    keptAside: () =>
      existsSync(putBack())
        ? readdirSync(putBack(), { recursive: true, withFileTypes: true })
            .filter((entry) => !entry.isDirectory())
            .map((entry) => join(entry.parentPath, entry.name).slice(putBack().length + 1))
            .sort()
        : [],
    readKept: (path) => readFileSync(join(putBack(), path), 'utf8'),
    pushedPlan: () =>
      execFileSync('git', [
        '-C',
        it.origin,
        'diff',
        '--name-only',
        'main',
        'story/cart',
        '--',
        ':(icase).saga',
      ])
        .toString()
        .trimEnd()
        .split('\n'),
    eventsOf: (type) =>
      it.events().filter((event) => event.type === type) as unknown as Record<string, unknown>[],
  };
}

/** The plan files of an untouched story in its branch. */
export const INTACT = ['evidence.json', 'journal.md', 'one.json', 'story.json'].map(
  (name) => `.saga/stories/cart/${name}`,
);
