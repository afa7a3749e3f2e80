import { type Created, checkDraft, createFromDraft } from '@saga-ai/core/authoring/create';
import { type ParsedDraft, parseDraft } from '@saga-ai/core/authoring/parse-draft';
import { readDraft } from '@saga-ai/core/authoring/read-draft';
import { loadTemplate } from '@saga-ai/core/authoring/templates';
import { createInEditor } from '@saga-ai/core/authoring/write-draft';
import { SagaError } from '@saga-ai/core/errors';
import { adviseOnDraft } from '@saga-ai/core/lint/advise-on-draft';
import { lintSome } from '@saga-ai/core/lint/lint-plan';
import { loadCreated } from '@saga-ai/core/lint/load-linted';
import { listArchived } from '@saga-ai/core/plan/archived';
import { listIds } from '@saga-ai/core/plan/list-ids';
import { listVerify } from '@saga-ai/core/trust/list-parts';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import { deriveFreeId, deriveId } from '@saga-ai/types/plan/ids';
import type { CreateJson } from '@saga-ai/types/screens/json/plan';
import { count } from '@saga-ai/types/words/amounts';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { formatAdviceOnPlan, formatShortAdvice } from '../../output/findings.ts';
import { readInput } from '../../standard-input.ts';

export const command: Command<CreateJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.CreateJson),
  about: `A draft is a plan as Markdown or as JSON.

Markdown: "# Title" is an epic, "## Title" a story, "### Title" a task; an item of a list is a task too.
Fields stand below a heading as **Done when:**, **Guidance:**, **Avoid:**, **Verify:** and **Writes:**;
"after: a, b" names what comes first, by id or title. saga show ID --markdown prints what exists.

JSON: a story's fields with its "tasks" inside, or an epic's fields with its "stories" inside. A task may be a plain
text, its subject; then it waits for the task before it. saga schema story-draft and saga schema epic-draft print the
details.

Without a draft, saga create opens a template in your editor. Templates of your own are files such as
.saga/templates/bug.md. If any part of a draft is wrong, nothing is created. --check says what is wrong with a draft
and what could be better, and never creates anything.`,
  args: [{ name: 'draft', help: 'a file with the draft; - for standard input' }],
  options: {
    file: { type: 'text', short: 'f', value: 'FILE', help: 'the draft; - for standard input' },
    check: { type: 'boolean', help: 'judge the draft and create nothing' },
    template: { type: 'text', value: 'NAME', help: 'open this template in the editor' },
    id: { type: 'text', value: 'ID', help: 'the id (default: made from the title)' },
    title: { type: 'text', help: 'title of a story or epic without a draft' },
    description: { type: 'text', help: 'description (default: the title)' },
    task: { type: 'texts', value: 'SUBJECT', help: 'a task; each waits for the one before' },
    story: { type: 'texts', value: 'TITLE', help: 'a story; creates an epic with these' },
    epic: { type: 'text', value: 'ID', help: 'add the story to this epic' },
    'blocked-by': { type: 'texts', value: 'ID', help: 'a story of the epic that comes first' },
  },
  examples: [
    'saga create checkout.md',
    'saga create --check checkout.md',
    'saga create --template epic',
    'saga create --title "Fix the logout button" --task "Test it" --task "Fix it"',
    'saga create --title Checkout --story "Cart model" --story "Cart API"',
    'cat checkout.json | saga create -',
  ],
  async run(invocation) {
    const { out, paths, flag } = invocation;
    const project = paths();
    if (flag('check')) return judge(invocation);
    const created = await create(invocation);
    if (!created) {
      if (out.json)
        return void out.value({ created: { stories: [], tasks: 0 }, problems: [], advice: [] });
      return void out.lines(['Nothing was created: the template is unchanged.']);
    }
    const own = created.stories.flatMap((id) => listVerify(project, id));
    await agreeToOwn(project, own, environment.variables());
    const { unknown: problems, ...rest } = created;
    const advice = lintSome(
      loadCreated(project, environment.variables(), created.stories),
      created.stories,
      created.epic,
    );
    if (out.json) return void out.value({ created: rest, problems, advice });
    const { epic, stories, tasks } = rest;
    const made = `${count(stories.length, 'story', 'stories')}, ${count(tasks, 'task', 'tasks')}`;
    out.lines([
      `${out.paint('done', '✓')} ${epic ? `epic ${epic}: ${made}` : `${stories[0]}: ${made}`}`,
      ...(epic ? stories.map((id) => `  ${id}`) : []),
      '',
      `Look at it: saga show ${epic ?? stories[0]}   Commit it: git add .saga && git commit`,
      ...formatShortAdvice(advice, out),
    ]);
    out.problems(problems);
    return 0;
  },
};

/** Throws what creating the draft would throw, and prints the advice on it. */
async function judge(invocation: Invocation<CreateJson>): Promise<number> {
  const { out, paths } = invocation;
  const { input, locate } = await loadDraft(invocation);
  await checkDraft(paths(), input, locate);
  const result = readDraft(input);
  const { files, unknown } = 'files' in result ? result : { files: { stories: [] }, unknown: [] };
  const advice = adviseOnDraft(paths(), environment.variables(), files);
  if (out.json) {
    out.value({ created: { stories: [], tasks: 0 }, problems: unknown, advice });
    return 0;
  }
  out.problems(unknown);
  const told = advice.length === 0 ? 'no advice' : `${count(advice.length, 'piece')} of advice`;
  out.lines([
    ...(advice.length > 0 ? [...formatAdviceOnPlan(advice, out), ''] : []),
    `${out.paint('done', '✓')} the draft is valid, ${told}. Nothing was created.`,
  ]);
  return 0;
}

/** Returns undefined if a template was opened and left as it is. */
async function create(invocation: Invocation): Promise<Created | undefined> {
  const { args, text, paths } = invocation;
  if (text('title') === undefined) requireTitle(invocation);
  const template = text('template');
  const file = text('file') ?? args[0];
  const isGiven = text('title') !== undefined || file !== undefined;
  if (template !== undefined || (!isGiven && process.stdin.isTTY)) {
    const opened = loadTemplate(paths(), template ?? 'story');
    return createInEditor(paths(), opened, environment.requireEditor());
  }
  const { input, locate } = await loadDraft(invocation);
  return createFromDraft(paths(), input, locate);
}

/** Options that describe one story have no meaning without its title. */
function requireTitle({ text, texts }: Invocation): void {
  const given = [
    ...(['description', 'id', 'epic'] as const).filter((name) => text(name) !== undefined),
    ...(['task', 'story', 'blocked-by'] as const).filter((name) => texts(name).length > 0),
  ];
  if (given.length === 0) return;
  throw new SagaError(
    'usage',
    `--${given[0]} needs --title.`,
    'Such as: saga create --title "Fix the logout button" --task "Test it" --task "Fix it"',
  );
}

/** Loads the draft from the flags, a file or standard input. */
async function loadDraft(invocation: Invocation): Promise<ParsedDraft> {
  const { args, text } = invocation;
  if (text('title') !== undefined) return { input: fromFlags(invocation), locate: (it) => it };
  const file = text('file') ?? args[0] ?? '-';
  return parseDraft(readText(file), file === '-' ? 'standard input' : file);
}

function readText(file: string): string {
  if (file === '-' && process.stdin.isTTY) {
    process.stderr.write('Reading the draft from standard input; Ctrl-D ends it.\n');
  }
  return readInput(file);
}

/** Each task given with --task waits for the one before; stories given with --story do not wait. */
function fromFlags({ text, texts, paths }: Invocation): unknown {
  const title = text('title') ?? '';
  const isEpic = texts('story').length > 0;
  const taken = new Set([...listIds(paths()), ...listArchived(paths())]);
  // If an id can be made from the title, it gets no number: a second story with the same title is an error that
  // says so.
  const own = text('id') ?? deriveId(title);
  const id = own || deriveFreeId(title, isEpic ? 'epic' : 'story', (it) => taken.has(it));
  const ids = uniqueIds(texts('task'), 'task');
  if (isEpic) {
    const storyIds = uniqueIds(texts('story'), 'story', new Set([...taken, id]));
    return {
      id,
      title,
      description: text('description') ?? title,
      stories: texts('story').map((it, i) => ({ id: storyIds[i], title: it, description: it })),
    };
  }
  const epic = text('epic');
  return {
    id,
    title,
    description: text('description') ?? title,
    epic,
    blockedBy: texts('blocked-by'),
    tasks: texts('task').map((subject, i) => ({
      id: ids[i],
      subject,
      description: subject,
      blockedBy: ids.slice(i - 1, i),
    })),
  };
}

/**
 * Makes an id for each title. If no id can be made from a title, its id also avoids those that are `taken`.
 * Other ids may be taken; creating the draft then refuses them.
 */
function uniqueIds(
  titles: readonly string[],
  otherwise: string,
  taken: ReadonlySet<string> = new Set(),
): string[] {
  const used = new Set<string>();
  return titles.map((title) => {
    const isOwn = deriveId(title) !== '';
    const id = deriveFreeId(title, otherwise, (it) => used.has(it) || (!isOwn && taken.has(it)));
    used.add(id);
    return id;
  });
}
