import type { EpicChild } from '@saga-ai/types/plan/epic';
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
 * Carries over task lists: `.saga/tasks/<name>/tasklist.json` with a file for each task. A list with children
 * becomes an epic, any other a story. Names such as `user-auth--setup-db` stay as they are.
 */
export function fromTaskLists(files: readonly OldFile[]): Carried {
  const carried = createCarried();
  const lists = new Map<string, { file: OldFile; fields: Record<string, unknown> }>();
  for (const file of files.filter(({ path }) => path.endsWith('/tasklist.json'))) {
    const fields = parseJsonFile(file, carried.notes);
    if (fields) lists.set(file.path.split('/').at(-2) ?? '', { file, fields });
  }
  const parents = new Map<string, string>();
  for (const [name, { fields }] of lists) {
    for (const child of listOf(fields.children)) parents.set(textOf(fieldsOf(child).id), name);
  }
  const names = new Names();
  const idOf = new Map([...lists.keys()].map((name) => [name, names.take(name, 'story')]));

  for (const [name, { file, fields }] of lists) {
    const id = idOf.get(name) ?? name;
    if (id !== name)
      carried.notes.push({ from: file.path, note: `${name} is not an id: it became ${id}` });
    const title = textOf(fields.title) || name;
    const texts = {
      guidance: textOf(fields.guidance),
      doneWhen: textOf(fields.doneWhen),
      avoid: textOf(fields.avoid),
    };
    for (const field of ['branch', 'pr', 'worktree']) {
      if (textOf(fields[field]) === '') continue;
      const note = `${field} ${textOf(fields[field])} stays as it is, and SAGA uses a new one for ${id}`;
      carried.notes.push({ from: file.path, note });
    }
    if (listOf(fields.children).length > 0) {
      const children = listOf(fields.children).map((child): EpicChild => {
        const { id: childName, blockedBy } = fieldsOf(child);
        const blockers = listOf(blockedBy).map((it) => idOf.get(textOf(it)) ?? textOf(it));
        return { id: idOf.get(textOf(childName)) ?? textOf(childName), blockedBy: blockers };
      });
      const there = children.filter((child) => [...idOf.values()].includes(child.id));
      for (const child of children) {
        if (there.includes(child)) continue;
        carried.notes.push({ from: file.path, note: `child ${child.id} does not exist: dropped` });
      }
      const siblings = new Set(there.map((child) => child.id));
      carried.epics.push({
        ...{ id, title },
        description: joinTexts(textOf(fields.description) || title, ...labelAll(texts)),
        children: there.map((child) => keepSiblings(file.path, child, siblings, carried.notes)),
      });
      carried.mapped.push(mapTo('epic', file.path, id));
      const own = files.filter(({ path }) => isTaskOf(path, file.path));
      for (const task of own)
        carried.notes.push({ from: task.path, note: 'an epic has no tasks: dropped' });
      continue;
    }
    const epic = idOf.get(parents.get(name) ?? '');
    carried.stories.push({
      story: {
        ...{ id, title, description: textOf(fields.description) || title },
        epic,
        ...withTexts(texts),
      },
      tasks: carryTasks(files, file.path, carried),
    });
    carried.mapped.push(mapTo('story', file.path, id));
  }
  return carried;
}

const labelAll = ({
  guidance,
  doneWhen,
  avoid,
}: Record<'guidance' | 'doneWhen' | 'avoid', string>) => [
  guidance && `Guidance: ${guidance}`,
  doneWhen && `Done when: ${doneWhen}`,
  avoid && `Avoid: ${avoid}`,
];

const isTaskOf = (path: string, list: string): boolean =>
  path !== list &&
  path.endsWith('.json') &&
  path.startsWith(list.slice(0, -'tasklist.json'.length));

function carryTasks(files: readonly OldFile[], list: string, { notes, mapped }: Carried) {
  const names = new Names();
  const found = files.flatMap((file) => {
    const fields = isTaskOf(file.path, list) ? parseJsonFile(file, notes) : undefined;
    return fields
      ? [
          {
            file,
            fields,
            old: textOf(fields.id) || (file.path.split('/').at(-1) ?? '').slice(0, -5),
          },
        ]
      : [];
  });
  const idOf = new Map(found.map(({ old }) => [old, names.take(old, 'task')]));
  return found.map(({ file, fields, old }) => {
    const id = idOf.get(old) ?? old;
    const subject = textOf(fields.subject) || old;
    mapped.push(mapTo('task', file.path, id));
    const blockers = listOf(fields.blockedBy).map(textOf);
    for (const it of blockers) {
      if (!idOf.has(it))
        notes.push({ from: file.path, note: `waited for ${it}, which is missing: dropped` });
    }
    return {
      ...{ id, subject, description: textOf(fields.description) || subject },
      status: toStatus(fields.status),
      blockedBy: blockers.flatMap((it) => idOf.get(it) ?? []),
      ...withTexts({
        activeForm: textOf(fields.activeForm),
        guidance: textOf(fields.guidance),
        doneWhen: textOf(fields.doneWhen),
      }),
    };
  });
}
