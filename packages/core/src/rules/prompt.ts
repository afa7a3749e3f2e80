import { JOURNAL_KINDS, type JournalEntry } from '@saga-ai/types/journal';
import type { Story } from '@saga-ai/types/story';

export interface PromptRequest {
  story: Story;
  /** Below the worktree, in which the run works. */
  journalPath: string;
  /** Answers of a person to what an earlier run asked. */
  resolutions: readonly JournalEntry[];
  /** Files an earlier run changed and did not commit. */
  leftovers: readonly string[];
  /** What the gate did not let pass. */
  gateFailures: readonly string[];
  /** Files of the plan that an earlier run changed and that were put back. */
  restored: readonly string[];
}

/** All a headless run is told. Sections without content are left out. */
export function buildPrompt(request: PromptRequest): string {
  const { story } = request;
  return [
    // It never starts with a slash: some clients would take the text for a command.
    `You are working on the story "${oneLine(story.title)}" (${story.id}), alone and unattended: nobody answers questions while you work. The current folder is a git worktree made for this story.`,
    section('Goal', story.description),
    section('Guidance', story.guidance),
    section('Done when', story.doneWhen),
    section('Avoid', story.avoid),
    section('Answers to earlier questions', formatResolutions(request.resolutions)),
    section('Left by an earlier run', formatLeftovers(request.leftovers)),
    section('What the checks found', formatFailures(request)),
    section('Put back', formatRestored(request.restored)),
    section('How to work', formatWork()),
    section('Journal', formatJournalRules(request.journalPath)),
    section('When you are blocked', formatBlocked()),
  ]
    .filter((it) => it !== '')
    .join('\n\n')
    .concat('\n');
}

function formatWork(): string {
  return `Work through the task list with TaskList, TaskGet and TaskUpdate. If these tools are not offered directly, load them first: ToolSearch with the query "select:TaskList,TaskGet,TaskUpdate".
1. TaskList shows what there is. Take a task that is pending and not blocked by an unfinished one.
2. TaskGet shows its description, guidance and when it is done. Read it in full.
3. TaskUpdate it to in_progress, before you start.
4. Do the work. Check it as the task's "Done when" says.
5. Commit with a message that says what changed. Do not push: that is done for you.
6. TaskUpdate it to completed, only when it really is done and committed. Then look at TaskList again.
Stop when every task is completed. Never delete a task, and do not edit the files below .saga except the journal: the plan is not yours to change.`;
}

function formatJournalRules(path: string): string {
  return `${path} is the story's memory for the next run and for the reviewer. Read it first. Append to it when you decide something, leave the plan, or learn something worth keeping. An entry is a heading and Markdown below it:
## <ISO time> <Kind>: <title>
Kind is one of ${JOURNAL_KINDS.join(', ')}. Never change or remove entries that are there.`;
}

function formatBlocked(): string {
  return `If something needs a decision of a person (a missing credential, a contradiction in the plan, a choice that is not yours), append a Blocker entry to the journal: its title is the question, its body what you found, the options and your recommendation. Set the task back to pending with TaskUpdate and stop at once, without working around it. The answer reaches the next run as a Resolution with the same title. Do not write Resolutions yourself.`;
}

function formatResolutions(resolutions: readonly JournalEntry[]): string {
  return resolutions.map(({ title, body }) => `- ${oneLine(title)}\n${indent(body)}`).join('\n');
}

function formatLeftovers(files: readonly string[]): string {
  if (files.length === 0) return '';
  return `These files have changes that are in no commit. Look at them first (git diff), then finish and commit them, or undo them:\n${formatFiles(files)}`;
}

function formatFailures({ gateFailures }: PromptRequest): string {
  if (gateFailures.length === 0) return '';
  const list = gateFailures.map((it) => `- ${it.replace(/\n/g, '\n  ')}`).join('\n');
  return `All tasks were reported as completed, but the work did not pass its checks. Fix this now and commit; the tasks themselves stay completed:\n${list}`;
}

function formatRestored(files: readonly string[]): string {
  if (files.length === 0) return '';
  return `An earlier run changed files of the plan. They were put back, and such changes always will be:\n${formatFiles(files)}`;
}

const SHOWN_FILES = 40;

function formatFiles(files: readonly string[]): string {
  const shown = files.slice(0, SHOWN_FILES).map((it) => `- ${oneLine(it)}`);
  const more = files.length - shown.length;
  return [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function section(heading: string, text: string | undefined): string {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? '' : `## ${heading}\n${trimmed}`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
const indent = (text: string) => text.replace(/^/gm, '  ');
