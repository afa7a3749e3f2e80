import { completedOf } from '@saga-ai/core/agents/claude/tasklist/claim';
import { changeStatus } from '@saga-ai/core/agents/claude/tasklist/task-state';
import { SagaError } from '@saga-ai/core/errors';
import { TASK_STATUSES } from '@saga-ai/types/plan/status';
import type { TaskStatus } from '@saga-ai/types/plan/task';
import type { TaskJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { printTask, viewTask } from '../look/task-view.ts';
import { openTasks, TASK_ARGUMENT, TASK_OPTIONS } from '../open-tasks.ts';
import { META_OPTION, readBody, readMeta } from './new-task.ts';

export const command: Command<TaskJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskJson),
  args: [TASK_ARGUMENT],
  options: {
    ...TASK_OPTIONS,
    status: { type: 'text', choices: TASK_STATUSES, help: 'its new status' },
    subject: { type: 'text', help: 'its new subject' },
    body: { type: 'text', help: 'its new description; - for standard input' },
    owner: { type: 'text', value: 'NAME', help: 'its owner; empty for nobody' },
    ...META_OPTION,
  },
  async run(invocation) {
    const { args, out, text } = invocation;
    const meta = readMeta(invocation);
    const body = readBody(invocation);
    const [status, subject, owner] = [text('status'), text('subject'), text('owner')];
    if (
      [status, subject, owner, body].every((it) => it === undefined) &&
      Object.keys(meta).length === 0
    ) {
      throw new SagaError(
        'usage',
        'saga task update needs at least one option, such as --status or --subject.',
        'saga task update --help lists the options.',
      );
    }
    if (subject === '')
      throw new SagaError(
        'usage',
        'A task needs a subject.',
        'Give one line that says what to do.',
      );
    const source = await openTasks(invocation);
    const task = await source.change(args[0] ?? '', (it) => {
      const changed = status === undefined ? it : changeStatus(it, status as TaskStatus);
      const { owner: before, ...current } = changed;
      return {
        ...current,
        ...((owner ?? before) ? { owner: owner ?? before } : {}),
        ...(subject === undefined ? {} : { subject }),
        ...(body === undefined ? {} : { description: body }),
        metadata: { ...current.metadata, ...meta },
      };
    });
    return printTask(out, viewTask(task, completedOf(source.load().tasks)));
  },
};
