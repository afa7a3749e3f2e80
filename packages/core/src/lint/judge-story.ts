import type { Advice } from '@saga-ai/types/plan/advice';
import type { Task } from '@saga-ai/types/plan/task';
import type { LintedStory } from './linted-plan.ts';

const MOST_TASKS = 7;
const MOST_FILES = 5;

/** Judges one story by itself. */
export function judgeStory({ story, tasks }: LintedStory): Advice[] {
  const { id } = story;
  const advice: Advice[] = [];
  if (!story.doneWhen?.trim() && (tasks.length === 0 || tasks.some((it) => !it.doneWhen?.trim()))) {
    advice.push({
      rule: 'no-done-when',
      story: id,
      message: `${id} does not say when it is done.`,
      remedy: 'Add "doneWhen": a command and what it prints, or a fact that anyone can check.',
    });
  }
  if (tasks.length === 0) {
    advice.push({
      rule: 'no-tasks',
      story: id,
      message: `${id} has no task, so a run has nothing to do.`,
      remedy: `Add one: saga task create "…" --story ${id}`,
    });
  }
  if (tasks.length > MOST_TASKS) {
    advice.push({
      rule: 'many-tasks',
      story: id,
      message: `${id} has ${tasks.length} tasks. A story of more than ${MOST_TASKS} is hard to review.`,
      remedy: 'Split it into two stories of one epic, the second after the first.',
    });
  }
  return [...advice, ...tasks.flatMap((task) => judgeTask(id, task))];
}

function judgeTask(story: string, task: Task): Advice[] {
  if (task.status === 'completed') return [];
  const advice: Advice[] = [];
  const about = { story, task: task.id };
  const files = task.writeFiles?.length ?? 0;
  if (files > MOST_FILES) {
    advice.push({
      ...{ rule: 'many-files', ...about },
      message: `${story}/${task.id} names ${files} files or globs. A task of more than ${MOST_FILES} files is large for one run.`,
      remedy: 'Split the task, or name the folder that holds the files.',
    });
  }
  if (isVague(task)) {
    advice.push({
      ...{ rule: 'vague-task', ...about },
      message: `${story}/${task.id}: nobody could check whether "${task.subject.trim()}" is done.`,
      remedy: 'Say what is there afterwards that is not there now, and add "doneWhen".',
    });
  }
  return advice;
}

/** Verbs that name a direction and no end. */
const OPEN_VERB =
  /^(?:improve|enhance|optimi[sz]e|refactor|clean ?up|tidy|polish|rework|revisit|investigate|look (?:into|at)|explore|work on|continue|handle|deal with|support|finali[sz]e|think about|consider|research|help|do|make)\b/i;
/** Words that can mean anything. */
const ANYTHING =
  /\b(?:things?|stuff|everything|anything|etc|and so on|various|misc(?:ellaneous)?|as needed|if (?:needed|necessary|possible)|tbd|todo|wip|better|nicer|more robust|properly|implement it|do it|fix it|the rest|remaining (?:work|issues))\b/i;
/** Matches something concrete: a path, code, a number, a name in camelCase or with an underscore. */
const CONCRETE = /`[^`]+`|\/[\w.-]+|\w+\.\w{1,4}\b|\d|[a-z][A-Z]|\w_\w|\w\(\)/;

/** Whether nobody could check that a task is done: its words are vague, and it has no `doneWhen`. */
export function isVague({
  subject,
  description,
  doneWhen,
}: Pick<Task, 'subject' | 'description' | 'doneWhen'>): boolean {
  if (doneWhen?.trim()) return false;
  const text = subject.trim();
  const rest = description.trim() === text ? '' : description;
  const isOpen = OPEN_VERB.test(text) || ANYTHING.test(text) || /^\S+$/.test(text);
  return isOpen && !CONCRETE.test(text) && !CONCRETE.test(rest);
}
