import type { Code, Problem } from '@saga-ai/types/words/problem';
import { expect } from 'vitest';
import type { Ended, RunOptions } from '../programs/run-program.ts';
import type { TempProject } from '../project/temp-project.ts';

/** What an error must tell a person: the kind of fault, its place, and words that name it. */
export interface Complaint {
  code: Code;
  /** The path of the file below the project, such as `.saga/stories/bad/story.json`. */
  file?: string;
  field?: string;
  /** How the message names the place; by default with the file and the field. */
  place?: string;
  /** Texts that the message must also contain. */
  says?: string | string[];
  hint?: string;
}

/** A valid story, which must be listed whatever is wrong with other stories. */
export const GOOD_STORY = 'good';

/**
 * Expects that `saga check` names exactly these faults, for people and for scripts, and that `saga list` still works.
 */
export async function expectProblems(
  project: TempProject,
  complaints: Complaint[],
  options: RunOptions = {},
): Promise<void> {
  const [human, machine, list] = await Promise.all([
    project.saga(['check'], options),
    project.saga(['check', '--json'], options),
    project.saga(['list', '--json'], options),
  ]);
  expect(human.code, human.stderr).toBe(1);
  for (const complaint of complaints) expectTold(human, complaint);

  expect(machine, machine.stdout).toMatchObject({ code: 1, stderr: '' });
  const { problems } = JSON.parse(machine.stdout) as { problems: Problem[] };
  expect(problems).toEqual(expect.arrayContaining(complaints.map(toProblem)));
  expect(problems).toHaveLength(complaints.length);

  expect(list, list.stdout).toMatchObject({ code: 0, stderr: '' });
  const { stories } = JSON.parse(list.stdout);
  expect(stories).toContainEqual(
    expect.objectContaining({ id: GOOD_STORY, ready: true, progress: { completed: 0, total: 1 } }),
  );
}

/** Expects that a command is refused with this one fault, and leaves the plan as it was. */
export async function expectRefusal(
  project: TempProject,
  args: string[],
  complaint: Complaint,
  options: RunOptions = {},
): Promise<void> {
  const before = project.plan();
  const [human, machine] = await Promise.all([
    project.saga(args, options),
    project.saga([...args, '--json'], options),
  ]);
  expect(human, human.stdout).toMatchObject({ code: 1, stdout: '' });
  expectTold(human, complaint);

  expect(machine, machine.stdout).toMatchObject({ code: 1, stderr: '' });
  const { error } = JSON.parse(machine.stdout);
  // A single fault is the error itself, without a place of its own. If there are several, each is a problem.
  expect(error.problems ?? [error]).toContainEqual(expect.objectContaining(toTold(complaint)));

  expect(project.plan()).toEqual(before);
}

/** Expects the message with its code at the end and, indented below it, the remedy. */
function expectTold({ stderr }: Ended, complaint: Complaint): void {
  const { code, hint } = complaint;
  const words = wordsOf(complaint);
  const lines = stderr.split('\n');
  const at = lines.findIndex(
    (line) => line.endsWith(`[${code}]`) && words.every((word) => line.includes(word)),
  );
  expect(lines[at] ?? stderr, `[${code}] with ${words} in:\n${stderr}`).toMatch(/^✗ /);
  // Problems in a row that have the same hint share it: it follows the last of them.
  const told = lines.slice(at + 1).find((line) => !line.startsWith('✗ '));
  expect(told, 'a hint').toMatch(/^ {2}\S/);
  if (hint !== undefined) expect(told).toContain(hint);
}

function toProblem(complaint: Complaint): unknown {
  const { file, field } = complaint;
  return expect.objectContaining({
    ...toTold(complaint),
    ...(file === undefined ? {} : { file }),
    ...(field === undefined ? {} : { field }),
  });
}

function toTold(complaint: Complaint) {
  const { code, hint } = complaint;
  const saysAll = wordsOf(complaint).map((word) => `(?=.*${quote(word)})`);
  return {
    code,
    message: expect.stringMatching(new RegExp(`^${saysAll.join('')}.`)),
    hint: hint === undefined ? expect.stringMatching(/\S/) : expect.stringContaining(hint),
  };
}

function wordsOf({ file, field, place, says = [] }: Complaint): string[] {
  const where = place === undefined ? [file, field] : [place];
  return [...where, ...[says].flat()].filter((word) => word !== undefined);
}

const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
