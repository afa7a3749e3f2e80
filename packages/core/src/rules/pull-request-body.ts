import type { Evidence } from '@saga-ai/types/evidence';
import type { Story } from '@saga-ai/types/story';
import type { Task } from '@saga-ai/types/task';

const START = '<!-- saga:start -->';
const END = '<!-- saga:end -->';

/** What SAGA says in a pull request: goal, checklist, and after the gate its evidence. */
export function buildPullRequestBody(
  story: Pick<Story, 'id' | 'title' | 'description' | 'doneWhen'>,
  tasks: readonly Pick<Task, 'id' | 'subject' | 'status'>[],
  evidence?: Evidence,
): string {
  const parts = [
    START,
    `### ${plain(story.title)}`,
    unmarked(story.description),
    story.doneWhen ? `**Done when** ${unmarked(story.doneWhen)}` : '',
    `#### Tasks\n\n${tasks.map(formatTask).join('\n')}`,
    evidence ? formatEvidence(evidence) : '',
    END,
  ];
  return parts.filter((it) => it !== '').join('\n\n');
}

/** A person may have written around our part; only ours is replaced. */
export function replacePullRequestBody(before: string, ours: string): string {
  const start = before.indexOf(START);
  const end = before.indexOf(END, start);
  if (start === -1 || end === -1) return before.trim() === '' ? ours : `${before}\n\n${ours}`;
  return before.slice(0, start) + ours + before.slice(end + END.length);
}

function formatTask({ id, subject, status }: Pick<Task, 'id' | 'subject' | 'status'>): string {
  return `- [${status === 'completed' ? 'x' : ' '}] ${plain(subject)} (\`${id}\`)`;
}

function formatEvidence(evidence: Evidence): string {
  const rows = evidence.checks.map(
    ({ name, outcome, detail }) => `| ${name} | ${outcome} | ${cell(detail)} |`,
  );
  const { verify } = evidence;
  return [
    '#### Evidence',
    `Commits \`${evidence.base.slice(0, 12)}..${evidence.head.slice(0, 12)}\`, checked ${evidence.startedAt} to ${evidence.endedAt}.`,
    ['| check | outcome | found |', '|---|---|---|', ...rows].join('\n'),
    verify
      ? `\`${verify.command.replace(/`/g, "'")}\` ended with code ${verify.exitCode}; sha256 of its output \`${verify.outputSha256}\`.`
      : '',
    `Check it again: \`saga verify ${evidence.story}\``,
  ]
    .filter((it) => it !== '')
    .join('\n\n');
}

/** The text may come from a model: it opens no comment, and so no marker of ours. */
const unmarked = (text: string) => text.replace(/<!--/g, '<! --').trim();
const plain = (text: string) => unmarked(text.replace(/\s+/g, ' '));
const cell = (text: string) => plain(text).replace(/\|/g, '\\|');
