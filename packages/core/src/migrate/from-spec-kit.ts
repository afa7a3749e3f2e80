import { basename, dirname } from 'node:path/posix';
import { normalizeText, parseBlocks, unwrapItem } from '../plan-text/blocks.ts';
import {
  type Carried,
  createCarried,
  joinTexts,
  mapTo,
  Names,
  type OldFile,
  withTexts,
} from './carried.ts';
import { splitFrontMatter } from './parse-file.ts';

interface OldTask {
  /** The key of the task, such as `T012`. */
  key: string;
  text: string;
  isParallel: boolean;
  isDone: boolean;
  after: string[];
}

interface Phase {
  title: string;
  isStory: boolean;
  goal: string;
  test: string;
  tasks: OldTask[];
}

/**
 * Carries over spec-kit's `tasks.md`. The feature becomes an epic, each phase with tasks a story, each item with
 * a number such as T012 a task. Phases of user stories wait for the phase before them, and not for each other;
 * a task marked [P] waits for no neighbour.
 */
export function fromSpecKit(files: readonly OldFile[]): Carried {
  const carried = createCarried();
  const names = new Names();
  for (const file of files.filter(({ path }) => basename(path) === 'tasks.md')) {
    carryFeature(file, names, carried);
  }
  return carried;
}

function carryFeature(file: OldFile, names: Names, carried: Carried): void {
  const { notes, mapped } = carried;
  const { body } = splitFrontMatter({ ...file, text: normalizeText(file.text) }, notes);
  const phases = readPhases(body, file.path, notes).filter(({ tasks }) => tasks.length > 0);
  const folder = basename(dirname(file.path));
  if (phases.length === 0) {
    notes.push({ from: file.path, note: 'has no task such as "- [ ] T001 …": left out' });
    return;
  }
  const title = /^#[ \t]+(?:Tasks:[ \t]*)?(.+)$/m.exec(body)?.[1]?.trim() || folder;
  const epic = names.take(folder, 'epic');
  const ids = phases.map((phase) => names.take(`${folder}-${shorten(phase.title)}`, 'story'));
  const phaseOf = new Map(
    phases.flatMap(({ tasks }, i) => tasks.map(({ key }) => [key, i] as const)),
  );
  carried.epics.push({
    ...{
      id: epic,
      title,
      description: `Taken over from ${file.path}. The specification stands beside it.`,
    },
    children: phases.map((phase, i) => {
      const asked = phase.tasks
        .flatMap(({ after }) => after.map((key) => phaseOf.get(key)))
        .filter((it): it is number => it !== undefined && it < i);
      const waits = [...new Set([...listBefore(phases, i), ...asked])].toSorted((a, b) => a - b);
      return { id: ids[i] ?? '', blockedBy: waits.map((it) => ids[it] ?? '') };
    }),
  });
  mapped.push(mapTo('epic', file.path, epic));
  for (const [i, phase] of phases.entries()) {
    const id = ids[i] ?? '';
    carried.stories.push({
      story: {
        ...{ id, title: phase.title, description: phase.goal || phase.title, epic },
        ...withTexts({ doneWhen: phase.test }),
      },
      tasks: carryTasks(phase.tasks),
    });
    mapped.push(mapTo('story', `${file.path} ${phase.title}`, id));
  }
}

const shorten = (title: string): string => title.replace(/\(.*?\)/g, '').slice(0, 40);

/** Lists the phases that come right before a phase. */
function listBefore(phases: readonly Phase[], at: number): number[] {
  const before = at - 1;
  if (before < 0) return [];
  let first = before;
  while (first >= 0 && phases[first]?.isStory) first--;
  // Phases of user stories wait for the last phase before all of them. Any other phase waits for all phases of user
  // stories right before it.
  if (phases[at]?.isStory) return first >= 0 ? [first] : [];
  const stories = Array.from({ length: before - first }, (_, i) => first + 1 + i);
  return stories.length > 0 ? stories : [before];
}

function readPhases(body: string, path: string, notes: Carried['notes']): Phase[] {
  const lines = body.split('\n');
  const phases: Phase[] = [];
  for (const block of parseBlocks(body)) {
    if (block.kind === 'heading' && block.level === 2) {
      const title = block.text
        .replace(/^Phase\s+[\d.N]+\s*[:.-]\s*/i, '')
        .replace(/[^\p{L}\p{N})\]]+MVP$/u, '')
        .trim();
      const isStory = /\buser story\b/i.test(block.text);
      phases.push({ title: title || block.text, isStory, goal: '', test: '', tasks: [] });
    }
    const phase = phases.at(-1);
    if (!phase) continue;
    const own = lines.slice(block.start, block.end);
    if (block.kind === 'paragraph') {
      const [, label = '', value = ''] =
        /^\*\*(Goal|Purpose|Independent Test)\*\*:?:?[ \t]*([\s\S]*)$/.exec(own.join('\n')) ?? [];
      if (label === 'Independent Test') phase.test = value.trim();
      else if (label !== '') phase.goal = joinTexts(phase.goal, value.trim());
    }
    if (block.kind !== 'list') continue;
    for (const item of block.items) {
      const text = unwrapItem(lines.slice(item.start, item.end)).join('\n').trim();
      const task = parseTask(text);
      if (task) phase.tasks.push(task);
      else if (/^\[[ xX]\]/.test(text)) {
        notes.push({
          from: path,
          note: `"${text.slice(0, 60)}" has no number such as T001: left out`,
        });
      }
    }
  }
  return phases;
}

function parseTask(text: string): OldTask | undefined {
  const [, box, key, rest = ''] =
    /^\[([ xX])\]\s+\**(T\d+[a-z]?)\**:?\s+([\s\S]*)$/.exec(text) ?? [];
  if (key === undefined) return undefined;
  const marks = /^(?:\[[^\]]*\]\s*)*/.exec(rest)?.[0] ?? '';
  const after = /\(depends on ([^)]*)\)/i.exec(rest)?.[1]?.match(/T\d+[a-z]?/g) ?? [];
  return {
    ...{ key, text: rest.slice(marks.length).trim(), isDone: box !== ' ' },
    ...{ isParallel: /\[P\]/.test(marks), after },
  };
}

function carryTasks(tasks: readonly OldTask[]) {
  const idOf = new Map(tasks.map(({ key }) => [key, key.toLowerCase()]));
  /** The tasks since the last one that was not parallel, that one included. */
  let group: string[] = [];
  let last: string | undefined;
  return tasks.map(({ key, text, isParallel, isDone, after }) => {
    const id = idOf.get(key) ?? '';
    const before = isParallel ? (last === undefined ? [] : [last]) : group;
    const asked = after.flatMap((it) => idOf.get(it) ?? []);
    if (isParallel) group.push(id);
    else {
      group = [id];
      last = id;
    }
    const [subject = text] = text.split('\n');
    return {
      ...{
        id,
        subject,
        description: text,
        status: isDone ? ('completed' as const) : ('pending' as const),
      },
      blockedBy: [...new Set([...before, ...asked])].filter((it) => it !== id),
    };
  });
}
