import { SagaError } from '@saga-ai/core/errors';
import { RUN_VARIABLE } from '@saga-ai/core/processes/variables';
import { lookForProject } from '@saga-ai/core/project/find-project';
import { isForPeople } from '@saga-ai/types/plan/settle-journal';
import type { Invocation } from './command.ts';
import { environment } from './environment.ts';

/** Whether a call of a command changes the plan, the settings or a worker. Commands that are missing never do. */
const CHANGES: Readonly<Record<string, (invocation: Invocation<object>) => boolean>> = {
  init: () => true,
  create: () => true,
  edit: () => true,
  migrate: ({ flag }) => flag('yes'),
  import: ({ flag }) => !flag('dry-run'),
  plan: () => true,
  'drafts accept': () => true,
  'drafts drop': () => true,
  archive: () => true,
  unarchive: () => true,
  update: () => true,
  resolve: () => true,
  feedback: () => true,
  tell: () => true,
  run: () => true,
  worker: () => true,
  stop: () => true,
  agent: () => true,
  'fleet init': () => true,
  'fleet pause': () => true,
  'fleet resume': () => true,
  'fleet drain': () => true,
  'fleet remove': () => true,
  gate: () => true,
  land: () => true,
  rehearse: () => true,
  config: ({ args }) => args.length > 1,
  doctor: ({ flag }) => flag('fix'),
  recover: ({ flag, text }) =>
    flag('resume-all') || text('resume') !== undefined || text('discard') !== undefined,
  'trash restore': () => true,
  'trash empty': () => true,
  clean: () => true,
  reset: () => true,
  rename: () => true,
  delete: () => true,
  notify: ({ flag }) => flag('test'),
  watch: () => true,
  journal: ({ args, text }) => {
    if (args[1] !== 'add') return false;
    const isOwn = args[0] === environment.variables().SAGA_STORY_ID;
    return !isOwn || isForPeople({ kind: text('kind') as 'Note' });
  },
};

/**
 * Throws if a run calls a command that only people call. Only the project that the run works on is
 * protected: the tests of a run may make projects of their own.
 */
export function refuseInRun(name: string, invocation: Invocation<object>): void {
  if (!CHANGES[name]?.(invocation)) return;
  const named = environment.projectFolder();
  const own = named === undefined ? undefined : lookForProject(named)?.root;
  const here = lookForProject(invocation.folder)?.root;
  // In a folder that is in no project, the other commands use the project that the run works on.
  const root = here ?? (name === 'init' ? undefined : own);
  if (root === undefined || (own !== undefined && root !== own)) return;
  throw new SagaError(
    'in-run',
    `A run may not call saga ${name} here: it changes the plan, the settings or a worker, and only people do that.`,
    `If something is wrong with the plan, write a Blocker into the journal of your story and stop. (${RUN_VARIABLE} in the environment says that this is a run.)`,
  );
}
