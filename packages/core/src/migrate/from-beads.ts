import {
  type Carried,
  createCarried,
  fieldsOf,
  joinTexts,
  listOf,
  mapTo,
  Names,
  type OldFile,
  textOf,
  toStatus,
  withTexts,
} from './carried.ts';

interface Issue {
  key: string;
  fields: Record<string, unknown>;
  parent: string | undefined;
  blockers: string[];
}

const WAITS = new Set(['blocks', 'conditional-blocks', 'waits-for']);

/**
 * Carries over the issues of beads (`.beads/issues.jsonl`). An issue of type epic becomes an epic, its children become
 * stories, and their children become tasks. Issues without a parent become stories of one epic.
 */
export function fromBeads(files: readonly OldFile[]): Carried {
  const carried = createCarried();
  const { notes, mapped } = carried;
  const [file] = files.filter(({ path }) => path.endsWith('.jsonl'));
  if (!file) return carried;
  const issues = readIssues(file, notes);
  const childrenOf = Map.groupBy(issues.values(), ({ parent }) => parent ?? '');
  const names = new Names();
  const isEpic = (issue: Issue) => textOf(issue.fields.issue_type) === 'epic';
  const epics = [...issues.values()].filter(isEpic);
  const epicIds = new Map(
    epics.map(({ key, fields }) => [key, names.take(textOf(fields.title), 'epic')]),
  );

  const isStory = (issue: Issue) => {
    if (isEpic(issue)) return false;
    const parent = issues.get(issue.parent ?? '');
    return parent === undefined || isEpic(parent);
  };
  const stories = [...issues.values()].filter(isStory);
  const storyIds = new Map(
    stories.map(({ key, fields }) => [key, names.take(textOf(fields.title), 'story')]),
  );
  const loose = stories.filter(({ parent }) => parent === undefined || !issues.has(parent));
  const looseEpic = loose.length > 1 ? names.take('beads', 'epic') : undefined;

  const idOf = (key: string) => epicIds.get(key) ?? storyIds.get(key);
  const childOf = (issue: Issue, siblings: readonly Issue[]) => {
    const keys = new Set(siblings.map(({ key }) => key));
    for (const key of issue.blockers) {
      if (keys.has(key) || !issues.has(key)) continue;
      notes.push({
        from: issue.key,
        note: `waits for ${key}, which belongs to something else: dropped`,
      });
    }
    const known = issue.blockers.filter((key) => keys.has(key) && key !== issue.key);
    return {
      id: idOf(issue.key) ?? '',
      blockedBy: [...new Set(known)].map((key) => idOf(key) ?? ''),
    };
  };
  for (const epic of epics) {
    const id = epicIds.get(epic.key) ?? '';
    const own = childrenOf.get(epic.key) ?? [];
    const title = textOf(epic.fields.title) || epic.key;
    const children = own.map((issue) => childOf(issue, own));
    carried.epics.push({
      id,
      title,
      description: describe(epic.fields) || title,
      children,
    });
    mapped.push(mapTo('epic', epic.key, id));
  }
  if (looseEpic !== undefined) {
    const children = loose.map((issue) => childOf(issue, loose));
    carried.epics.push({
      ...{ id: looseEpic, title: 'Issues of beads' },
      description: `Issues of ${file.path} that belong to no epic.`,
      children,
    });
    mapped.push(mapTo('epic', 'issues without an epic', looseEpic));
  }
  for (const issue of stories) {
    const id = storyIds.get(issue.key) ?? '';
    const epic = epicIds.get(issue.parent ?? '') ?? looseEpic;
    carried.stories.push(carryStory(issue, id, epic, childrenOf, carried));
    mapped.push(mapTo('story', issue.key, id));
  }
  return carried;
}

function readIssues(file: OldFile, notes: Carried['notes']): Map<string, Issue> {
  const issues = new Map<string, Issue>();
  for (const [at, line] of file.text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const fields = parseLine(line);
    const key = textOf(fields?.id);
    if (!fields || key === '') {
      notes.push({ from: `${file.path} line ${at + 1}`, note: 'is not an issue: left out' });
      continue;
    }
    if (textOf(fields.status) === 'tombstone') {
      notes.push({ from: key, note: 'was deleted in beads: left out' });
      continue;
    }
    if (listOf(fields.comments).length > 0) {
      notes.push({ from: key, note: 'its comments stay in beads' });
    }
    const edges = listOf(fields.dependencies)
      .map(fieldsOf)
      .filter((edge) => (textOf(edge.issue_id) || key) === key)
      .map((edge) => ({ to: textOf(edge.depends_on_id), type: textOf(edge.type) || 'blocks' }));
    const dotted = key.includes('.') ? key.slice(0, key.lastIndexOf('.')) : undefined;
    issues.set(key, {
      ...{ key, fields },
      parent: edges.find(({ type }) => type === 'parent-child')?.to ?? dotted,
      blockers: edges.filter(({ type }) => WAITS.has(type)).map(({ to }) => to),
    });
  }
  // A dot in a key names a parent only if the issue of that name exists. A child does not wait for its own parent.
  for (const issue of issues.values()) {
    if (issue.parent !== undefined && !issues.has(issue.parent)) issue.parent = undefined;
    issue.blockers = issue.blockers.filter((key) => key !== issue.parent);
  }
  return issues;
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    // The line is not JSON. The caller notes that, with the number of the line.
    return undefined;
  }
}

const describe = (fields: Record<string, unknown>): string =>
  joinTexts(textOf(fields.description), textOf(fields.notes) && `Notes: ${textOf(fields.notes)}`);

function carryStory(
  issue: Issue,
  id: string,
  epic: string | undefined,
  childrenOf: ReadonlyMap<string, Issue[]>,
  { mapped }: Carried,
) {
  const { fields } = issue;
  const title = textOf(fields.title) || issue.key;
  const labels = [
    ...listOf(fields.labels).map(textOf).filter(Boolean),
    ...(typeof fields.priority === 'number' ? [`p${fields.priority}`] : []),
    ...(/^(deferred|blocked|pinned)$/.test(textOf(fields.status)) ? [textOf(fields.status)] : []),
  ];
  const parts = listBelow(issue, childrenOf);
  const names = new Names();
  const ids = new Map(parts.map((it) => [it.key, names.take(textOf(it.fields.title), 'task')]));
  const description = describe(fields) || title;
  const only = {
    id: 'work',
    subject: title,
    description,
    status: toStatus(fields.status),
    blockedBy: [],
  };
  for (const part of parts) mapped.push(mapTo('task', part.key, `${id}/${ids.get(part.key)}`));
  const tasks = parts.map((part) => {
    const subject = textOf(part.fields.title) || part.key;
    return {
      ...{ id: ids.get(part.key) ?? '', subject, description: describe(part.fields) || subject },
      status: toStatus(part.fields.status),
      blockedBy: [...new Set(part.blockers.flatMap((key) => ids.get(key) ?? []))],
      ...withTexts({
        guidance: textOf(part.fields.design),
        doneWhen: textOf(part.fields.acceptance_criteria),
      }),
    };
  });
  return {
    story: {
      ...{ id, title, description },
      epic,
      ...withTexts({
        guidance: textOf(fields.design),
        doneWhen: textOf(fields.acceptance_criteria),
      }),
      labels: labels.length > 0 ? labels : undefined,
    },
    tasks: tasks.length > 0 ? tasks : [only],
  };
}

/** Everything below an issue, at any depth: tasks have no tasks of their own. */
function listBelow(issue: Issue, childrenOf: ReadonlyMap<string, Issue[]>, depth = 0): Issue[] {
  if (depth > 20) return [];
  return (childrenOf.get(issue.key) ?? []).flatMap((child) => [
    child,
    ...listBelow(child, childrenOf, depth + 1),
  ]);
}
