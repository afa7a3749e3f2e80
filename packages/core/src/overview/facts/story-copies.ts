import { JOURNAL_FILE } from '@saga-ai/types/plan/journal';
import { EVIDENCE_FILE, STORY_FILE, storyPath } from '@saga-ai/types/plan/plan-paths';
import { Story } from '@saga-ai/types/plan/story';
import { Task } from '@saga-ai/types/plan/task';
import { Evidence } from '@saga-ai/types/run/evidence';
import type { CopyFacts } from '@saga-ai/types/screens/story-facts';
import { checkJsonText } from '../../files/json-file.ts';
import type { Git } from '../../git/git.ts';
import { readBlobs } from '../../git/read-blobs.ts';
import { digestPlan, isPlanFile } from '../../plan/plan-digest.ts';
import { deriveFacts, type StoryScan } from '../../plan/scan-story.ts';

/** A story and the commit to read it from. */
export interface Wanted {
  id: string;
  commit: string;
}

interface File {
  id: string;
  name: string;
  blob: string;
}

/** A story's folder as a commit has it. */
export interface Copy {
  /** Undefined if a file in the folder is broken. */
  facts?: CopyFacts;
  /** The digest of its plan. */
  plan: string;
}

/** Reads the folders of stories from commits. A story that a commit lacks is left out. */
export async function loadCopies(git: Git, wanted: readonly Wanted[]): Promise<Map<string, Copy>> {
  const files: File[] = [];
  for (const [commit, ids] of groupByCommit(wanted)) {
    files.push(...(await listFiles(git, commit, ids)));
  }
  const texts = await readBlobs(
    git,
    files.map(({ blob }) => blob),
  );
  const found = new Map<string, { scan: StoryScan; plan: Map<string, string> }>();
  for (const [index, file] of files.entries()) {
    const empty: StoryScan = { tasks: [], problems: [], unknown: [], names: [] };
    const { scan, plan } = found.get(file.id) ?? { scan: empty, plan: new Map() };
    found.set(file.id, { scan, plan });
    const text = texts[index] ?? '';
    addFile(scan, file, text);
    if (isPlanFile(file.name)) plan.set(file.name, text);
  }
  const copies = new Map<string, Copy>();
  for (const [id, { scan, plan }] of found) {
    if (plan.size > 0) copies.set(id, { ...toFacts(id, scan), plan: digestPlan(plan) });
  }
  return copies;
}

function toFacts(storyId: string, scan: StoryScan): Pick<Copy, 'facts'> {
  if (!scan.story || scan.problems.length > 0) return {};
  const { id: _, title, epic, labels, ...facts } = deriveFacts(storyId, scan);
  return { facts };
}

function groupByCommit(wanted: readonly Wanted[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { id, commit } of wanted) {
    const ids = groups.get(commit);
    if (ids) ids.push(id);
    else groups.set(commit, [id]);
  }
  return groups;
}

async function listFiles(git: Git, commit: string, ids: readonly string[]): Promise<File[]> {
  const paths = ids.map((id) => `${storyPath(id)}/`);
  const listed = await git.attempt(['ls-tree', '-z', '--full-tree', commit, '--', ...paths]);
  if (listed.code !== 0) return [];
  return listed.stdout.split('\0').flatMap((entry) => {
    const [, blob, id, name] = /^100\d+ blob (\w+)\t\S+\/([^/]+)\/([^/]+)$/.exec(entry) ?? [];
    return blob === undefined || id === undefined || name === undefined ? [] : [{ id, name, blob }];
  });
}

function addFile(scan: StoryScan, { name }: File, text: string): void {
  if (name === JOURNAL_FILE) {
    scan.journal = text;
    return;
  }
  if (!name.endsWith('.json') || name.startsWith('.')) return;
  if (name === EVIDENCE_FILE) {
    const evidence = checkJsonText(name, text, Evidence);
    if ('value' in evidence) scan.evidence = evidence.value;
    else scan.problems.push(...evidence.problems);
  } else if (name === STORY_FILE) {
    const story = checkJsonText(name, text, Story);
    if ('value' in story) scan.story = story.value;
    else scan.problems.push(...story.problems);
  } else {
    const task = checkJsonText(name, text, Task);
    if ('value' in task) scan.tasks.push(task.value);
    else scan.problems.push(...task.problems);
  }
}
