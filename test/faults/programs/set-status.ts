import { saveTaskFields, saveTaskStatus } from '@saga-ai/core/plan/stories';
import { buildPaths } from '@saga-ai/core/project/paths';

/** Leaves its own field in a task, completes it, and says so. */
const [root = '', storyId = '', taskId = '', name = ''] = process.argv.slice(2);
const paths = buildPaths(root);
await saveTaskFields(paths, storyId, taskId, { [name]: process.pid });
await saveTaskStatus(paths, storyId, taskId, 'completed');
process.stdout.write(`saved ${name} ${process.pid}\n`);
