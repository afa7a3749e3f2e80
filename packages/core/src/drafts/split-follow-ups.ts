import { StoryDraft } from '@saga-ai/types/plan/draft';
import { readPlan } from '../plan-text/read-plan.ts';
import { writePlan } from '../plan-text/write-plan.ts';

/** One story of a file with follow-ups. */
export interface Proposed {
  title: string;
  text: string;
  faults: string[];
}

/** The most stories that one file may propose. */
export const MOST_PROPOSED = 10;
const LONGEST_TITLE = 120;

/**
 * Reads the file in which a run proposes follow-ups: stories as Markdown, each below a heading of its own. A text that
 * cannot be read is kept unchanged as one proposal, with its faults. Statuses and places that a run invents are left
 * out: a proposal is work that nobody has begun, and its pull request closes no issue.
 */
export function splitFollowUps(text: string): Proposed[] {
  if (withoutRemarks(text) === '') return [];
  const { stories, faults } = readStories(text);
  if (stories.length > MOST_PROPOSED) {
    faults.push(`it has ${stories.length} stories, more than ${MOST_PROPOSED}`);
  }
  if (faults.length > 0) return [{ title: findTitle(text), text, faults }];
  return stories.map((story) => {
    const read = StoryDraft.safeParse(toPending(story));
    if (!read.success) {
      return { title: findTitle(text), text, faults: read.error.issues.map((it) => it.message) };
    }
    return { title: cutTitle(read.data.title), text: writePlan(read.data), faults: [] };
  });
}

const withoutRemarks = (text: string) => text.replace(/<!--.*?-->/gs, '').trim();

const EPIC = 'Follow-ups';

type Fields = Record<string, unknown>;

/**
 * Reads the stories of a text. A plan with several stories needs an epic, which may be missing here, so one is put
 * above them.
 */
function readStories(text: string): { stories: Fields[]; faults: string[] } {
  const plain = readPlan(text);
  const wrapped = plain.slips.length > 0 ? readPlan(`# ${EPIC}\n\n${text}`) : plain;
  const hasSeveral =
    listStories(wrapped.draft).length > 1 &&
    // An epic without a description of its own gets its title as the description.
    withoutRemarks(String(wrapped.draft?.description)) === EPIC;
  const [{ draft, slips }, above] = hasSeveral ? [wrapped, 2] : [plain, 0];
  const stories = listStories(draft);
  const lineOf = (line: number) => (wrapped === plain ? line : Math.max(1, line - above));
  const faults = slips.map(({ line, message }) => `line ${lineOf(line)}: ${message}`);
  if (faults.length === 0 && stories.length === 0)
    faults.push('it has no story: begin with ## Title');
  return { stories, faults };
}

function listStories(draft: Fields | undefined): Fields[] {
  if (!draft) return [];
  return 'stories' in draft ? (draft.stories as Fields[]) : [draft];
}

function toPending(story: Fields): Fields {
  const { epic: _, blockedBy: __, issue, branch, pr, worktree, tasks, ...rest } = story;
  const open = (tasks as Fields[] | undefined)?.map(
    ({ status, attempts, escalated, ...task }) => task,
  );
  return { ...rest, ...(open ? { tasks: open } : {}) };
}

function findTitle(text: string): string {
  const line = text.split('\n').find((it) => it.replace(/[#\s]/g, '') !== '') ?? '';
  return cutTitle(line.replace(/^#+\s*/, '').replace(/\s*\{#[^}]*\}$/, ''));
}

const cutTitle = (title: string) => title.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE);
