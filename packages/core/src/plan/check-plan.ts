import type { Epic } from '@saga-ai/types/plan/epic';
import { findGraphFaults } from '@saga-ai/types/plan/graph';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Problem } from '@saga-ai/types/words/problem';

export interface Plan {
  stories: readonly { id: string; epic?: string | undefined; file: string }[];
  epics: readonly Epic[];
  archived: ReadonlySet<string>;
  epicFileOf(epicId: string): string;
}

/** Finds problems between stories and epics: wrong references, duplicate ids, and circles at any depth. */
export function checkPlan(plan: Plan): Problem[] {
  const stories = new Map(plan.stories.map((story) => [story.id, story]));
  const known = new Set([...stories.keys(), ...plan.epics.map((epic) => epic.id)]);
  const childrenOf = new Map(
    plan.epics.map((epic) => [epic.id, new Set(epic.children.map((child) => child.id))]),
  );
  const problems: Problem[] = [];

  for (const epic of plan.epics) {
    const file = plan.epicFileOf(epic.id);
    if (stories.has(epic.id)) problems.push(describeDouble(epic.id, file, 'a story and an epic'));
    if (plan.archived.has(epic.id)) {
      problems.push(describeDouble(epic.id, file, 'an epic and something archived'));
    }
    for (const child of epic.children) {
      if (!known.has(child.id)) problems.push(describeUnknownChild(child.id, epic, plan, known));
      const story = stories.get(child.id);
      if (story && story.epic !== epic.id) problems.push(describeDisagreement(story, epic, file));
    }
    problems.push(...checkChildren(epic, file));
  }
  for (const story of plan.stories) {
    if (plan.archived.has(story.id)) {
      problems.push(describeDouble(story.id, story.file, 'a story and something archived'));
    }
    if (story.epic !== undefined)
      problems.push(...checkEpicOf(story.epic, story, childrenOf, known));
  }
  problems.push(...checkNesting(plan));
  return problems;
}

function checkEpicOf(
  epicId: string,
  story: Plan['stories'][number],
  childrenOf: ReadonlyMap<string, ReadonlySet<string>>,
  known: ReadonlySet<string>,
): Problem[] {
  const about = { file: story.file, field: 'epic', story: story.id };
  const children = childrenOf.get(epicId);
  if (!children) {
    return [
      {
        code: 'unknown-id',
        message: `${story.file}: "epic" names ${epicId}, which does not exist.`,
        hint: suggest(epicId, known, 'Remove the field, or create the epic.'),
        ...about,
      },
    ];
  }
  if (children.has(story.id)) return [];
  return [
    {
      code: 'epic-mismatch',
      message: `${story.file}: "epic" names ${epicId}, but that epic does not list ${story.id}.`,
      hint: `Add { "id": "${story.id}", "blockedBy": [] } to its "children", or remove the field.`,
      ...about,
    },
  ];
}

function checkChildren(epic: Epic, file: string): Problem[] {
  const faults = findGraphFaults(epic.children);
  const about = { file, field: 'children', epic: epic.id };
  return [
    ...faults.missing.map(
      ({ id, blockedBy }): Problem => ({
        code: 'unknown-id',
        message: `${file}: child ${id} is blocked by ${blockedBy}, which is not a child of ${epic.id}.`,
        hint: `Remove it from "blockedBy", or add ${blockedBy} to "children".`,
        ...about,
      }),
    ),
    ...faults.selfBlocked.map(
      (id): Problem => ({
        code: 'self-block',
        message: `${file}: child ${id} is blocked by itself.`,
        hint: `Remove ${id} from its own "blockedBy".`,
        ...about,
      }),
    ),
    ...faults.duplicates.map((id) => describeDouble(id, file, 'two children of one epic')),
    ...faults.cycles.map(
      (cycle): Problem => ({
        code: 'cycle',
        message: `${file}: children block each other in a circle: ${cycle.join(' → ')}.`,
        hint: 'Remove one of these ids from the "blockedBy" of another.',
        ...about,
      }),
    ),
  ];
}

/** Finds circles of epics, and children that belong to two epics. */
function checkNesting(plan: Plan): Problem[] {
  const parents = new Map<string, string>();
  const problems: Problem[] = [];
  for (const epic of plan.epics) {
    for (const { id } of epic.children) {
      const other = parents.get(id);
      if (other !== undefined && other !== epic.id) {
        const file = plan.epicFileOf(epic.id);
        problems.push({
          code: 'duplicate-id',
          message: `${file}: ${id} is already a child of epic ${other}.`,
          hint: 'Remove it from one of the two.',
          file,
          field: 'children',
          epic: epic.id,
        });
      }
      parents.set(id, epic.id);
    }
  }
  const nodes = plan.epics.map((epic) => ({
    id: epic.id,
    blockedBy: epic.children.map((child) => child.id),
  }));
  const { cycles, selfBlocked } = findGraphFaults(nodes);
  for (const cycle of [...selfBlocked.map((id) => [id, id]), ...cycles]) {
    const epic = cycle[0] ?? '';
    problems.push({
      code: 'cycle',
      message: `Epics contain each other in a circle: ${cycle.join(' → ')}.`,
      hint: 'Remove one of these epics from the "children" of another.',
      file: plan.epicFileOf(epic),
      field: 'children',
      epic,
    });
  }
  return problems;
}

function describeUnknownChild(
  id: string,
  epic: Epic,
  plan: Plan,
  known: ReadonlySet<string>,
): Problem {
  const file = plan.epicFileOf(epic.id);
  return {
    code: 'unknown-id',
    message: `${file}: child ${id} ${plan.archived.has(id) ? 'is archived' : 'does not exist'}.`,
    hint: plan.archived.has(id)
      ? `Bring it back: saga unarchive ${id}`
      : suggest(id, known, 'Create the story, or remove the child.'),
    file,
    field: 'children',
    epic: epic.id,
  };
}

function describeDisagreement(
  story: Plan['stories'][number],
  epic: Epic,
  epicFile: string,
): Problem {
  const says = story.epic === undefined ? 'names no epic' : `names epic ${story.epic}`;
  return {
    code: 'epic-mismatch',
    message: `${epicFile} lists story ${story.id}, but ${story.file} ${says}.`,
    hint: `Set "epic": "${epic.id}" in ${story.file}, or remove the child.`,
    file: story.file,
    field: 'epic',
    story: story.id,
    epic: epic.id,
  };
}

function describeDouble(id: string, file: string, what: string): Problem {
  return {
    code: 'duplicate-id',
    message: `${file}: ${id} is the id of ${what}.`,
    hint: 'Stories and epics share one set of ids, including the archive: rename one of the two.',
    file,
    field: 'id',
  };
}

function suggest(id: string, known: ReadonlySet<string>, otherwise: string): string {
  const near = findNearest(id, known);
  return near === undefined ? otherwise : `Did you mean ${near}? ${otherwise}`;
}
