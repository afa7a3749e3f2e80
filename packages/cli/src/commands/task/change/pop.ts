import { completedOf, popTask } from '@saga-ai/core/agents/claude/tasklist/claim';
import type { PopJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { showTask } from '../look/show.ts';
import { viewTask } from '../look/task-view.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { CLAIM_OPTIONS, readClaimant } from './claimant.ts';

const NOTHING_READY = 3;

export const command: Command<PopJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.PopJson),
  options: { ...TASK_OPTIONS, ...CLAIM_OPTIONS },
  about: `Finds the first task that is ready, claims it and shows it, in one step. Processes that call it at
the same time get different tasks. Exit code 3 means that no task is ready; this is not an error.`,
  async run(invocation) {
    const { out } = invocation;
    const source = await openTasks(invocation);
    const task = await popTask(source, readClaimant(invocation));
    if (task) return showTask(out, viewTask(task, completedOf([task])));
    // A file that cannot be read may be the reason.
    const { problems } = source.load();
    if (out.json) out.value({ task: null, problems });
    else {
      out.problems(problems);
      out.lines(['No task is ready.']);
    }
    return NOTHING_READY;
  },
};
