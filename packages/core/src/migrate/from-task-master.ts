import { basename } from 'node:path/posix';
import {
  type Carried,
  createCarried,
  fieldsOf,
  joinTexts,
  keepSiblings,
  listOf,
  mapTo,
  Names,
  type OldFile,
  textOf,
  toStatus,
  withTexts,
} from './carried.ts';
import { parseJsonFile } from './parse-file.ts';

/**
 * Carries over task-master's `tasks.json`. Each tag becomes an epic, each task a story, each subtask a task. A
 * task without subtasks becomes a story with one task.
 */
export function fromTaskMaster(files: readonly OldFile[]): Carried {
  const carried = createCarried();
  const names = new Names();
  for (const file of files.filter(({ path }) => basename(path) === 'tasks.json')) {
    const fields = parseJsonFile(file, carried.notes);
    if (!fields) continue;
    // Older files have one list and no tags.
    const tags = Array.isArray(fields.tasks) ? { master: fields } : fields;
    for (const [tag, value] of Object.entries(tags)) {
      const tasks = listOf(fieldsOf(value).tasks).map(fieldsOf);
      if (tasks.length > 0) carryTag(tag, fieldsOf(value), tasks, file.path, names, carried);
    }
  }
  return carried;
}

function carryTag(
  tag: string,
  value: Record<string, unknown>,
  all: Record<string, unknown>[],
  path: string,
  names: Names,
  carried: Carried,
): void {
  const { notes, mapped } = carried;
  const epic = names.take(tag === 'master' ? 'task-master' : tag, 'epic');
  const about =
    textOf(fieldsOf(value.metadata).description) || textOf(fieldsOf(value.meta).projectName);
  const isDropped = (task: Record<string, unknown>) => /^cancell?ed$/i.test(textOf(task.status));
  const tasks = all.filter((task) => !isDropped(task));
  for (const task of all.filter(isDropped)) {
    notes.push({
      from: path,
      note: `task ${textOf(task.id)} (${textOf(task.title)}) was cancelled: left out`,
    });
  }
  const ids = new Map(
    tasks.map((task) => [textOf(task.id), names.take(textOf(task.title), 'story')]),
  );
  const siblings = new Set(ids.values());
  const blockersOf = (task: Record<string, unknown>) => [
    ...listOf(task.dependencies).map(textOf),
    // `2.1` is a subtask of another task: then the story waits for that story.
    ...listOf(task.subtasks).flatMap((it) =>
      listOf(fieldsOf(it).dependencies)
        .map(textOf)
        .flatMap((name) => {
          const [parent = '', sub] = name.split('.');
          return sub !== undefined && parent !== textOf(task.id) ? [parent] : [];
        }),
    ),
  ];
  carried.epics.push({
    ...{ id: epic, title: tag === 'master' ? about || 'Tasks of task-master' : tag },
    description: about || `Taken over from ${path}, tag ${tag}.`,
    children: tasks.map((task) =>
      keepSiblings(
        path,
        {
          id: ids.get(textOf(task.id)) ?? '',
          blockedBy: [...new Set(blockersOf(task))].map(
            (it) => ids.get(it.split('.')[0] ?? '') ?? `task ${it}`,
          ),
        },
        siblings,
        notes,
      ),
    ),
  });
  mapped.push(mapTo('epic', `${path} ${tag}`, epic));
  for (const task of tasks) {
    const id = ids.get(textOf(task.id)) ?? '';
    carried.stories.push({
      story: carryStory(task, id, epic),
      tasks: carrySubtasks(task, path, notes),
    });
    mapped.push(mapTo('story', `${path} task ${textOf(task.id)}`, id));
  }
}

function carryStory(task: Record<string, unknown>, id: string, epic: string) {
  const title = textOf(task.title) || id;
  const labels = [
    ...(textOf(task.priority) ? [`priority-${textOf(task.priority)}`] : []),
    ...(/^(deferred|blocked|review)$/i.test(textOf(task.status)) ? [textOf(task.status)] : []),
  ];
  return {
    ...{ id, title, description: textOf(task.description) || title, epic },
    ...withTexts({ guidance: textOf(task.details), doneWhen: textOf(task.testStrategy) }),
    labels: labels.length > 0 ? labels : undefined,
  };
}

function carrySubtasks(task: Record<string, unknown>, path: string, notes: Carried['notes']) {
  const title = textOf(task.title) || 'work';
  const own = textOf(task.id);
  const subtasks = listOf(task.subtasks).map(fieldsOf);
  if (subtasks.length === 0) {
    const description = textOf(task.description) || title;
    return [
      { id: 'work', subject: title, description, status: toStatus(task.status), blockedBy: [] },
    ];
  }
  const names = new Names();
  const ids = new Map(subtasks.map((it) => [textOf(it.id), names.take(textOf(it.title), 'task')]));
  const isDone = toStatus(task.status) === 'completed';
  return subtasks.map((it) => {
    const id = ids.get(textOf(it.id)) ?? '';
    const subject = textOf(it.title) || id;
    const status = toStatus(it.status);
    if (isDone && status !== 'completed') {
      notes.push({
        from: path,
        note: `task ${own} was done, but its subtask ${textOf(it.id)} was not: the subtask counts`,
      });
    }
    const blockers = listOf(it.dependencies)
      .map(textOf)
      .map((name) => (name.startsWith(`${own}.`) ? name.slice(own.length + 1) : name));
    return {
      ...{ id, subject, description: joinTexts(textOf(it.description)) || subject, status },
      blockedBy: [...new Set(blockers.flatMap((name) => ids.get(name) ?? []))].filter(
        (name) => name !== id,
      ),
      ...withTexts({ guidance: textOf(it.details), doneWhen: textOf(it.testStrategy) }),
    };
  });
}
