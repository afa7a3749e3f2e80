import { SagaError } from '@saga-ai/core/errors';
import { type Forge, openForge } from '@saga-ai/core/forge/forge';
import { GhRefusal, isRefusal } from '@saga-ai/core/forge/gh-refusal';
import type { Issue } from '@saga-ai/core/forge/issue';
import { type Imported, importIssues } from '@saga-ai/core/import/import-issues';
import { findOnPath } from '@saga-ai/core/processes/find-program';
import type { ImportJson } from '@saga-ai/types/screens/json/plan';
import { count } from '@saga-ai/types/words/amounts';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import type { Output } from '../../output/output.ts';
import { createPassingLine } from '../../output/passing-line.ts';
import { cleanLine, hang } from '../../output/text.ts';

const PLACES = ['github'];
/** The most issues that one call imports. If there are more, the person probably forgot a filter. */
const MOST = 200;

export const command: Command<ImportJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.ImportJson),
  args: [
    { name: 'place', help: 'where the issues are: github', required: true, complete: PLACES },
    { name: 'numbers', help: 'the issues, by number', rest: true },
  ],
  about: `Makes a story of each issue, read with gh. Name the issues, or choose open ones by label.

The text of an issue is quoted in the story as data, because anybody may have written it. The open boxes of its
checklist become tasks; without a checklist the story has one task. The story keeps the address of the issue, and its pull request closes
the issue.

All stories are written, or none. An issue that is a story already is skipped, so the command may be repeated. What you
changed in a story stays as it is.`,
  options: {
    label: {
      type: 'texts',
      value: 'NAME',
      help: 'open issues with this label; repeat it for issues with all of them',
    },
    epic: { type: 'text', value: 'ID', help: 'add the stories to this epic' },
    'dry-run': { type: 'boolean', help: 'list the issues and their stories, write nothing' },
  },
  examples: [
    'saga import github 12 34',
    'saga import github --label saga --dry-run',
    'saga import github --label saga --epic checkout',
  ],
  async run(invocation) {
    const { args, paths, out, text, flag } = invocation;
    requirePlace(args[0] ?? '');
    const issues = await read(invocation);
    const isDry = flag('dry-run');
    const imported = await importIssues(paths(), issues, { epic: text('epic'), isDry });
    if (out.json) return void out.value({ issues: imported.map(toJson), written: !isDry });
    out.lines(describe(imported, isDry, out));
    return 0;
  },
};

function requirePlace(place: string): void {
  if (PLACES.includes(place)) return;
  throw new SagaError(
    'usage',
    `Issues cannot be read from ${JSON.stringify(place)}.`,
    'Places: github. For plans in files of other tools: saga migrate --help',
  );
}

async function read({ args, texts, paths, out }: Invocation<ImportJson>): Promise<Issue[]> {
  const numbers = args.slice(1).map(readNumber);
  const labels = texts('label');
  if (numbers.length > 0 === labels.length > 0) {
    throw new SagaError(
      'usage',
      numbers.length > 0 ? 'Numbers and --label exclude each other.' : 'No issue is named.',
      'For example: saga import github 12 34, or: saga import github --label saga',
    );
  }
  const env = environment.handedOver();
  if (findOnPath('gh', env) === undefined) {
    const hint = 'Install it: https://cli.github.com';
    throw new SagaError('missing-program', 'gh is not installed, and it reads the issues.', hint);
  }
  const forge = openForge(paths().root, env);
  using passing = createPassingLine(out);
  if (numbers.length > 0) {
    return readEach(forge, [...new Set(numbers)], (it) => passing.show(`reads issue #${it}`));
  }
  passing.show('asks for issues');
  const found = await forge.listIssues(labels, MOST + 1).catch((error: unknown) => {
    throw toError(error, 'The issues cannot be read');
  });
  if (found.length <= MOST) return found;
  throw new SagaError(
    'usage',
    `More than ${MOST} open issues have this label. Nothing was written.`,
    'Give a label to those that you want, or name them: saga import github 12 34',
  );
}

function readNumber(text: string): number {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  const hint = 'For example: saga import github 12 34';
  throw new SagaError('usage', `${JSON.stringify(text)} is not the number of an issue.`, hint);
}

/** Every issue that cannot be read is named, and then nothing is written. */
async function readEach(
  forge: Forge,
  numbers: readonly number[],
  show: (number: number) => void,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  const failures: string[] = [];
  for (const number of numbers) {
    show(number);
    try {
      issues.push(await forge.readIssue(number));
    } catch (error) {
      const failure = toError(error, `#${number}`);
      // Without a login or a repository, reading the next issue fails in the same way.
      if (isRefusal(error, 'nowhere', 'no-login', 'unreachable')) throw failure;
      failures.push(failure.message);
    }
  }
  if (failures.length === 0) return issues;
  const hint = 'Nothing was written. Name only issues that exist: gh issue list';
  throw new SagaError('forge-refused', failures.join(' '), hint);
}

function toError(error: unknown, what: string): SagaError {
  if (!(error instanceof GhRefusal)) throw error;
  const hint = 'Nothing was written. See whether gh works here: gh issue list';
  return new SagaError('forge-refused', `${what}: ${error.message.replace(/\.$/, '')}.`, hint);
}

function describe(imported: readonly Imported[], isDry: boolean, out: Output<never>): string[] {
  if (imported.length === 0) return ['No open issue has this label. Nothing was written.'];
  const fresh = imported.filter((it) => it.skipped === undefined);
  const tasks = fresh.reduce((sum, it) => sum + it.tasks, 0);
  const made = `${count(fresh.length, 'story', 'stories')}, ${count(tasks, 'task', 'tasks')}`;
  const rows = imported.flatMap(({ issue, story, tasks: number, skipped }) => {
    const what = skipped ?? `${story} (${count(number, 'task', 'tasks')})`;
    const by = issue.author === '' ? '' : `, by ${issue.author}`;
    const mark = skipped === undefined ? out.paint('done', '+') : '·';
    return hang(
      `  ${mark} `,
      cleanLine(`#${issue.number} ${issue.title}${by} → ${what}`),
      out.width,
    );
  });
  if (isDry) return [`Would create ${made}:`, ...rows, 'Nothing was written.'];
  const next =
    fresh.length === 0
      ? []
      : [
          `Other people wrote this text. Read it before you run it: saga show ${fresh[0]?.story}`,
          'Advice on it: saga check --plan',
        ];
  return [`${out.paint('done', '✓')} ${made}`, ...rows, ...next];
}

function toJson({ issue, story, tasks, skipped }: Imported) {
  const { number, title, url, author } = issue;
  return { number, title, url, author, story, tasks, skipped: skipped ?? null };
}
