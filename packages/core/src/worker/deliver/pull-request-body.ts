import { orderTopologically } from '@saga-ai/types/plan/graph';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import type { Evidence, VerifyRun } from '@saga-ai/types/run/evidence';

const START = '<!-- saga:start -->';
const END = '<!-- saga:end -->';

/** GitHub refuses a body of more than 65,536 characters, and the part that a person wrote must fit in too. */
const LONGEST_TEXT = 8_000;
const LONGEST_LIST = 30_000;

type ListedTask = Pick<Task, 'id' | 'subject' | 'status' | 'blockedBy'>;

/** SAGA's part of a pull request: the goal, the checklist and, after the gate, its evidence. */
export function buildPullRequestBody(
  given: Pick<Story, 'id' | 'title' | 'description' | 'doneWhen' | 'issue' | 'pr'>,
  listed: readonly ListedTask[],
  evidence?: Evidence,
): string {
  const { story, tasks } =
    given.issue === undefined ? { story: given, tasks: listed } : disarm(given, listed);
  const parts = [
    START,
    `### ${plain(story.title)}`,
    cut(unmarked(story.description)),
    story.doneWhen ? `**Done when** ${cut(unmarked(story.doneWhen))}` : '',
    formatClosing(given),
    `#### Tasks\n\n${formatTasks(tasks)}`,
    evidence ? formatEvidence(evidence) : '',
    END,
  ];
  return parts.filter((it) => it !== '').join('\n\n');
}

/** Names the issue so that its place closes it when the pull request is merged. */
export function formatClosing({ issue, pr }: Pick<Story, 'issue' | 'pr'>): string {
  const [, repository, number] =
    /^(https:\/\/[^\s/]+\/[^\s/]+\/[^\s/]+)\/issues\/(\d+)$/.exec(issue ?? '') ?? [];
  if (repository === undefined) return '';
  const isHere = pr === undefined || pr.startsWith(`${repository}/`);
  return `Closes ${isHere ? '' : new URL(repository).pathname.slice(1)}#${number}`;
}

/** Makes mentions and names of issues in a stranger's text harmless, because GitHub would act on them. */
export const inert = (text: string): string =>
  text.replaceAll(/[@#](?=[\w-])|:(?=\/\/)|\bGH(?=-\d)/gi, '$&\u200b');

/**
 * Formats the goal of a story. A story that came from an issue contains a stranger's text, and GitHub would notify the
 * people and close the issues that it names. So the quoted text is left out; it stays in the issue.
 */
function disarm<S extends Pick<Story, 'title' | 'description' | 'doneWhen'>>(
  story: S,
  tasks: readonly ListedTask[],
): { story: S; tasks: ListedTask[] } {
  const unquoted = story.description.replaceAll(/(?:^>.*\n?)+/gm, '').trim();
  const { doneWhen } = story;
  return {
    story: {
      ...story,
      title: inert(story.title),
      description: inert(unquoted),
      ...(doneWhen === undefined ? {} : { doneWhen: inert(doneWhen) }),
    },
    tasks: tasks.map((task) => ({ ...task, subject: inert(task.subject) })),
  };
}

/**
 * Replaces SAGA's part of the body and keeps what a person wrote around it. SAGA's part is the last
 * one with both markers. If a person removed a marker, the rest of that part counts as the person's
 * text.
 */
export function replacePullRequestBody(before: string, ours: string): string {
  const end = before.lastIndexOf(END);
  const start = end === -1 ? -1 : before.lastIndexOf(START, end);
  if (start === -1) return before.trim() === '' ? ours : `${before}\n\n${ours}`;
  return before.slice(0, start) + ours + before.slice(end + END.length);
}

/** Lists the tasks in an order that respects their dependencies. */
function formatTasks(tasks: readonly ListedTask[]): string {
  const { ordered, unordered } = orderTopologically(tasks);
  const lines: string[] = [];
  let length = 0;
  for (const task of [...ordered, ...unordered]) {
    const line = `- [${task.status === 'completed' ? 'x' : ' '}] ${plain(task.subject)} (\`${task.id}\`)`;
    length += line.length + 1;
    if (length > LONGEST_LIST) break;
    lines.push(line);
  }
  const more = tasks.length - lines.length;
  return [...lines, ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n');
}

function formatEvidence(evidence: Evidence): string {
  const rows = evidence.checks.map(
    ({ name, outcome, detail }) => `| ${name} | ${outcome} | ${cell(detail)} |`,
  );
  const { verify, warnings = [], seal } = evidence;
  return [
    '#### Evidence',
    `Commits \`${evidence.base.slice(0, 12)}..${evidence.head.slice(0, 12)}\`, checked ${evidence.startedAt} to ${evidence.endedAt}.`,
    ['| check | outcome | found |', '|---|---|---|', ...rows].join('\n'),
    verify
      ? `\`${plain(verify.command).replace(/`/g, "'")}\` ${verify.exitCode === null ? 'was stopped' : `ended with code ${verify.exitCode}`}${describeCheckout(verify)}; sha256 of its output \`${verify.outputSha256}\`.`
      : '**Unverified**: no verify command is configured, so nothing has tested this work.',
    ...(verify ? formatOutputEnd(verify) : []),
    warnings.length > 0
      ? ['Look at this first:', ...warnings.map((it) => `- ${plain(it)}`)].join('\n')
      : '',
    seal
      ? `Signed with the key \`${plain(seal.key).replace(/`/g, "'")}\` (${OWNERS[seal.by]}).`
      : '',
    `Check it again: \`saga verify ${evidence.story}\``,
  ]
    .filter((it) => it !== '')
    .join('\n\n');
}

const OWNERS = { git: 'a signing key of git', saga: "a key of SAGA's own" };

function describeCheckout({ checkout }: VerifyRun): string {
  if (checkout === undefined) return '';
  return checkout === 'clean' ? ' in a clean checkout' : ' in the worktree, which may hold more';
}

/**
 * Formats the output as a folded part, so that it does not hide the rest. The fence is longer than any inside the text.
 */
function formatOutputEnd({ outputEnd }: VerifyRun): string[] {
  const text = cut(unmarked(outputEnd));
  if (text === '') return [];
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [
    `<details><summary>The end of its output</summary>\n\n${fence}text\n${text}\n${fence}\n\n</details>`,
  ];
}

/** Breaks up `<!--`, so that a text by a model cannot forge one of SAGA's markers. */
const unmarked = (text: string) => text.replace(/<!--/g, '<! --').trim();
const plain = (text: string) => unmarked(text.replace(/\s+/g, ' '));
const cut = (text: string) =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} …` : text;
const cell = (text: string) => plain(text).slice(0, 1000).replace(/\|/g, '\\|');
