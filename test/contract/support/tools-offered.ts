import type { RunRequest, Stage } from '../../rig/client/stage.ts';

/** The four that work on the task list. `Task`, `TaskStop` and `TaskOutput` are something else. */
const TASK_TOOLS = /^Task(Create|Get|List|Update)$/;

export const ALL_FOUR = ['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'];

export interface Offered {
  /** Task tools that the init event names. */
  inInit: string[];
  /** Task tools whose schemas the first request carries. */
  inRequest: string[];
  /** All that the model was told as system. */
  system: string;
}

/** Which Task tools there are when a worker says nothing about them but what the test does. */
export async function offerTaskTools(
  stage: Stage,
  request: Pick<RunRequest, 'args' | 'env'> = {},
): Promise<Offered> {
  const run = await stage.run({ plain: true, turns: [{ text: 'Done.' }], ...request });
  if (!run.init) throw new Error(`There was no init event.\n${run.stderr}`);
  const first = run.model.requests.find(({ kind }) => kind === 'turn')?.conversation;
  return {
    inInit: pickTaskTools(run.init.tools),
    inRequest: pickTaskTools(first?.tools ?? []),
    system: first?.system ?? '',
  };
}

function pickTaskTools(tools: readonly string[]): string[] {
  return tools.filter((tool) => TASK_TOOLS.test(tool)).toSorted();
}
