import { SagaError } from '@saga-ai/core/errors';
import { saveTaskFields } from '@saga-ai/core/plan/stories';
import { buildPaths } from '@saga-ai/core/project/paths';

/** Leaves its own field in a task, completes it, and says so. */
const [root = '', storyId = '', taskId = '', name = ''] = process.argv.slice(2);
const paths = buildPaths(root);
await insist(() => saveTaskFields(paths, storyId, taskId, { [name]: process.pid }));
await insist(() => saveTaskFields(paths, storyId, taskId, { status: 'completed' }));
process.stdout.write(`saved ${name} ${process.pid}\n`);

/** On a slow machine a crowd takes longer than one of them waits for the lock. That is told, and tried again. */
async function insist(save: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await save();
      return;
    } catch (error) {
      if (!(error instanceof SagaError && error.code === 'lock-held')) throw error;
    }
  }
}
