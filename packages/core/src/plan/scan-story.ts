import { readdirSync, readFileSync } from 'node:fs';
import { isHeldUp } from '@saga-ai/types/plan/graph';
import { isId } from '@saga-ai/types/plan/ids';
import { findOpenBlockers, JOURNAL_FILE, parseJournal } from '@saga-ai/types/plan/journal';
import { EVIDENCE_FILE, STORY_FILE } from '@saga-ai/types/plan/plan-paths';
import { countStatuses } from '@saga-ai/types/plan/status';
import { Story } from '@saga-ai/types/plan/story';
import { Task } from '@saga-ai/types/plan/task';
import { findUntold } from '@saga-ai/types/plan/worker-notes';
import { Evidence } from '@saga-ai/types/run/evidence';
import type { EvidenceFacts, StoryFacts } from '@saga-ai/types/screens/story-facts';
import { isPlainStory, isPlainTask } from '@saga-ai/types/words/plain';
import type { Problem } from '@saga-ai/types/words/problem';
import { errorCodeOf, messageOf } from '../errors.ts';
import { READ, readJsonFile } from '../files/json-file.ts';
import { describeLink, isLink } from '../files/own-links.ts';
import { displayPath } from '../project/display-path.ts';
import { formatRestore } from '../project/restore-command.ts';
import { checkTasks } from './check-tasks.ts';
import { describeBadName, describeMismatch } from './id-problems.ts';
import { describeUnknown } from './unknown-problems.ts';

/** A story folder as it is on disk: its valid parts and all its problems. */
export interface StoryScan {
  /** Undefined if `story.json` cannot be read. */
  story?: Story;
  tasks: Task[];
  /** The text of `journal.md`, if there is one. */
  journal?: string;
  /** The evidence of the last gate, if there is any. */
  evidence?: Evidence;
  problems: Problem[];
  /** Problems about fields that SAGA does not know. They have no effect and break nothing. */
  unknown: Problem[];
  /** The files that were read, so that a later change to one is noticed. */
  names: string[];
}

export function scanStory(root: string, home: string, storyId: string): StoryScan {
  const scan: StoryScan = { tasks: [], problems: [], unknown: [], names: [] };
  const file = displayPath(root, home);
  const report = (problem: Problem) => scan.problems.push({ ...problem, story: storyId });
  if (!isId(storyId)) report(describeBadName(storyId, file));

  if (isLink(home)) {
    report(describeLink(file));
    return scan;
  }
  let names: string[];
  try {
    const entries = readdirSync(home, { withFileTypes: true });
    const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name);
    for (const name of links) report(describeLink(`${file}/${name}`));
    names = entries.map(({ name }) => name).filter((name) => !links.includes(name));
  } catch (error) {
    report(describeBadFolder(error, file));
    return scan;
  }
  if (!names.includes(STORY_FILE)) report(describeMissingStory(root, home));
  for (const name of names) {
    if (name === JOURNAL_FILE) {
      scan.names.push(name);
      readJournal(`${home}/${name}`, file, scan, report);
    } else if (name === EVIDENCE_FILE) {
      scan.names.push(name);
      const result = readJsonFile(root, `${home}/${name}`, Evidence);
      if ('problems' in result) result.problems.forEach(report);
      else scan.evidence = result.value;
    } else if (name.endsWith('.json') && !name.startsWith('.')) {
      scan.names.push(name);
      readDefinition(
        root,
        `${home}/${name}`,
        name.slice(0, -'.json'.length),
        storyId,
        scan,
        report,
      );
    }
  }
  scan.tasks.sort((a, b) => (a.id < b.id ? -1 : 1));
  checkTasks(storyId, scan.tasks, (id) => `${file}/${id}.json`).forEach(report);
  return scan;
}

/** Derives what the overview keeps of a story. A broken story is shown under its folder's name. */
export function deriveFacts(storyId: string, scan: StoryScan): StoryFacts {
  const { story, tasks } = scan;
  const working = tasks.find((task) => task.status === 'in_progress');
  const entries = scan.journal ? parseJournal(scan.journal).entries : [];
  const blockers = findOpenBlockers(entries);
  const untold = findUntold(entries);
  const feedback = untold.feedback.map(({ title }) => title);
  const answers = untold.answers.map(({ title }) => title);
  const escalated = tasks
    .filter((task) => task.escalated)
    .map(({ id, subject }) => ({ id, subject }));
  return {
    id: storyId,
    title: story?.title ?? storyId,
    epic: story?.epic,
    branch: story?.branch,
    pr: story?.pr,
    labels: story?.labels,
    counts: countStatuses(tasks.map((task) => task.status)),
    working: working ? (working.activeForm ?? working.subject) : undefined,
    blockers:
      blockers.length > 0
        ? blockers.map(({ title, time }) => (time ? { title, time } : { title }))
        : undefined,
    feedback: feedback.length > 0 ? feedback : undefined,
    answers: answers.length > 0 ? answers : undefined,
    escalated: escalated.length > 0 ? escalated : undefined,
    heldUp: isHeldUp(tasks) ? (true as const) : undefined,
    evidence: scan.evidence ? deriveEvidenceFacts(scan.evidence) : undefined,
    broken: scan.problems.length > 0 ? (true as const) : undefined,
  };
}

function deriveEvidenceFacts({ outcome, head, endedAt, verify, checks }: Evidence): EvidenceFacts {
  const failures = checks.filter((it) => it.outcome === 'failed').map((it) => it.detail);
  return {
    outcome,
    head,
    at: endedAt,
    unverified: verify === undefined ? (true as const) : undefined,
    failures: failures.length > 0 ? failures : undefined,
  };
}

function readDefinition(
  root: string,
  path: string,
  name: string,
  storyId: string,
  scan: StoryScan,
  report: (problem: Problem) => void,
): void {
  const isStory = name === 'story';
  const result = readJsonFile<Story | Task>(
    root,
    path,
    isStory ? Story : Task,
    isStory ? isPlainStory : isPlainTask,
  );
  if ('problems' in result) {
    result.problems.forEach(report);
    return;
  }
  for (const it of describeUnknown(result.value, isStory ? 'story' : 'task', () =>
    displayPath(root, path),
  )) {
    scan.unknown.push({ ...it, story: storyId });
  }
  const expected = isStory ? storyId : name;
  if (result.value.id !== expected) {
    report(describeMismatch(result.value.id, expected, displayPath(root, path)));
  }
  // The name on disk is the key: a different `id` inside is reported and does not create a second item.
  if (isStory) scan.story = { ...(result.value as Story), id: storyId };
  else if (result.value.id === name) scan.tasks.push(result.value as Task);
  else scan.tasks.push({ ...(result.value as Task), id: name });
}

function readJournal(
  path: string,
  folder: string,
  scan: StoryScan,
  report: (problem: Problem) => void,
): void {
  try {
    scan.journal = readFileSync(path, READ);
  } catch (error) {
    report({
      code: 'unreadable-file',
      message: `${folder}/${JOURNAL_FILE} cannot be read (${messageOf(error)}).`,
      hint: 'Make it a readable file; until then SAGA does not know the open blockers.',
      file: `${folder}/${JOURNAL_FILE}`,
    });
  }
}

function describeMissingStory(root: string, home: string): Problem {
  const folder = displayPath(root, home);
  return {
    code: 'unreadable-file',
    message: `${folder} has no ${STORY_FILE}.`,
    hint: `Restore it: ${formatRestore(root, `${home}/${STORY_FILE}`)}, or remove the folder.`,
    file: `${folder}/${STORY_FILE}`,
  };
}

function describeBadFolder(error: unknown, folder: string): Problem {
  const isFile = errorCodeOf(error) === 'ENOTDIR';
  return {
    code: 'unreadable-file',
    message: isFile
      ? `${folder} is a file, but should be a story's folder.`
      : `${folder} cannot be read (${messageOf(error)}).`,
    hint: isFile
      ? `Move it away: mv ${folder} elsewhere`
      : `Check its permissions: ls -ld ${folder}`,
    file: folder,
  };
}
