import { isInPlan, isInStory } from '@saga-ai/types/plan/plan-paths';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import type { GateCheck } from '@saga-ai/types/run/evidence';
import { count, listFiles } from '@saga-ai/types/words/amounts';
import { LEFT, type LeftWork } from '../../git/refs/left-refs.ts';
import { quote } from '../../project/quote.ts';
import { classifyPlanFile } from '../../scope/definitions.ts';
import { filterByGlobs } from '../../scope/globs.ts';
import { findProtected, type Protection } from '../../scope/protected-files.ts';

/** The facts about a branch that the checks before `verify` need. */
export interface BranchFacts {
  story: Pick<Story, 'id' | 'writeFiles'>;
  tasks: readonly Pick<Task, 'id' | 'status' | 'noChange'>[];
  uncommitted: readonly string[];
  /** The files that differ between base and head. */
  changed: readonly string[];
  protection: Omit<Protection, 'writeFiles'>;
  restored: readonly string[];
  /** True if the definitions of the story or its tasks differ from those when the worker began. */
  isRedefined?: boolean;
}

/** The checks that only need git, in the order of the gate. */
export function checkBranch(facts: BranchFacts): GateCheck[] {
  return [
    checkTasks(facts),
    checkChanged(facts),
    checkCommitted(facts),
    checkDefinitions(facts),
    checkProtected(facts),
    checkWriteFiles(facts),
  ];
}

function checkTasks({ tasks }: BranchFacts): GateCheck {
  const open = tasks.filter((task) => task.status !== 'completed').map((task) => task.id);
  if (tasks.length === 0) return failed('tasks', 'the story has no tasks');
  return open.length === 0
    ? passed('tasks', `${tasks.length} of ${tasks.length} completed`)
    : failed('tasks', `not completed: ${open.join(', ')}`);
}

/**
 * Fails if the branch changed only the plan. Only the tasks themselves can allow that, because no run can change them.
 */
function checkChanged({ tasks, changed }: BranchFacts): GateCheck {
  const work = changed.filter((path) => !isInPlan(path));
  if (work.length > 0) return passed('changed', `${count(work.length, 'file')} changed`);
  if (mayChangeNothing(tasks)) {
    return passed('changed', `nothing, as the tasks say: ${tasks[0]?.noChange}`);
  }
  return failed('changed', 'nothing was changed outside .saga');
}

export function mayChangeNothing(tasks: readonly Pick<Task, 'noChange'>[]): boolean {
  return tasks.length > 0 && tasks.every((task) => task.noChange !== undefined);
}

function checkCommitted({ uncommitted }: BranchFacts): GateCheck {
  return uncommitted.length === 0
    ? passed('committed', 'nothing uncommitted')
    : failed('committed', `uncommitted: ${listFiles(uncommitted)}`, uncommitted);
}

function checkDefinitions({ story, changed, restored, isRedefined }: BranchFacts): GateCheck {
  if (isRedefined) {
    return failed(
      'definitions',
      `the plan of ${story.id} changed while the worker worked on it, and not by a run: something else writes it`,
    );
  }
  const foreign = changed.filter(
    (path) => classifyPlanFile(path, story.id) === 'definition' && !isInStory(path, story.id),
  );
  if (foreign.length > 0) {
    return failed(
      'definitions',
      `the plan of other stories was changed: ${listFiles(foreign)}`,
      foreign,
    );
  }
  return restored.length === 0
    ? passed('definitions', 'unchanged')
    : passed('definitions', `changed by a run and put back: ${listFiles(restored)}`, restored);
}

function checkProtected({ story, changed, protection }: BranchFacts): GateCheck {
  if (protection.byDefault.length === 0 && protection.configured.length === 0) {
    return skipped('protected-files', 'none configured');
  }
  const { writeFiles } = story;
  const touched = findProtected(changed, { ...protection, writeFiles });
  return touched.length === 0
    ? passed('protected-files', 'none changed')
    : failed('protected-files', `changed: ${listFiles(touched)}`, touched);
}

function checkWriteFiles({ story, changed }: BranchFacts): GateCheck {
  if (!story.writeFiles || story.writeFiles.length === 0) {
    return skipped('write-files', 'the story declares no writeFiles');
  }
  const outside = new Set(changed.filter((path) => !isInPlan(path)));
  for (const path of filterByGlobs([...outside], story.writeFiles)) outside.delete(path);
  return outside.size === 0
    ? passed('write-files', 'all changed files are in writeFiles')
    : failed('write-files', `changed files not in writeFiles: ${listFiles([...outside])}`, [
        ...outside,
      ]);
}

/** The facts about what was kept beside a branch, and about its base. */
export interface HistoryFacts {
  branch: string;
  /** The base as git names it, such as origin/main. */
  base: string;
  /** The folder of the worktree. */
  folder: string;
  hasCommonCommit: boolean;
  left: readonly LeftWork[];
}

/** Fails if the branch was cut off from its base, or lost commits that it had before a run. */
export function checkHistory(facts: HistoryFacts): GateCheck {
  const { branch, base, folder, hasCommonCommit, left } = facts;
  if (!hasCommonCommit) {
    const rebase = `git -C ${quote(folder)} rebase --onto ${base} --root`;
    return failed(
      'history',
      `${branch} and ${base} have no common commit; put the story onto ${base}: ${rebase}`,
    );
  }
  const gone = left.filter(({ what }) => what === 'history');
  return gone.length === 0
    ? passed('history', `${branch} has all its commits`)
    : failed('history', `${branch} lost commits that it had: ${describeLeft(gone, folder)}`);
}

/** Fails if a run left work beside the branch that a person has neither merged nor deleted. */
export function checkLeft({ branch, folder, left }: HistoryFacts): GateCheck {
  const beside = left.filter(({ what }) => what !== 'history');
  return beside.length === 0
    ? passed('left', 'nothing is left beside the branch')
    : failed('left', `work of a run is not in ${branch}: ${describeLeft(beside, folder)}`);
}

function describeLeft(left: readonly LeftWork[], folder: string): string {
  const named = left.map(({ ref, what }) => `${ref} (${LEFT[what]})`).join(', ');
  const git = `git -C ${quote(folder)}`;
  const ref = left[0]?.ref ?? '';
  return `${named}; take it in: ${git} merge ${ref}, or, if it is not needed: ${git} update-ref -d ${ref}`;
}

export function passed(
  name: GateCheck['name'],
  detail: string,
  files?: readonly string[],
): GateCheck {
  return { name, outcome: 'passed', detail, files: files ? [...files] : undefined };
}

export function failed(
  name: GateCheck['name'],
  detail: string,
  files?: readonly string[],
): GateCheck {
  return { name, outcome: 'failed', detail, files: files ? [...files] : undefined };
}

export function skipped(name: GateCheck['name'], detail: string): GateCheck {
  return { name, outcome: 'skipped', detail };
}
