import { isDeepStrictEqual } from 'node:util';
import { EpicDraft, type StoryDraft } from '@saga-ai/types/plan/draft';
import { Epic } from '@saga-ai/types/plan/epic';
import type { Problem } from '@saga-ai/types/words/problem';
import { findUnread, loadAsDraft } from '../authoring/as-markdown.ts';
import { requireFits } from '../authoring/create.ts';
import { describeStaged, type KeepRemoved, placeEdit } from '../authoring/place-edit.ts';
import { readDraft } from '../authoring/read-draft.ts';
import { stageEdit } from '../authoring/stage-edit.ts';
import { SagaError } from '../errors.ts';
import { loadJsonFile, toError } from '../files/json-file.ts';
import { editJson, formatJson } from '../files/json-text.ts';
import { lintPlan } from '../lint/lint-plan.ts';
import { loadOverview } from '../overview/overview.ts';
import { loadConfig } from '../plan/config.ts';
import { listIds } from '../plan/list-ids.ts';
import { loadItem } from '../plan/resolve.ts';
import type { StagedFiles } from '../plan/staging.ts';
import { writePlan } from '../plan-text/write-plan.ts';
import type { Environment } from '../processes/run.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { withoutChild } from '../recovery/place-in-epic.ts';
import { saveRemoved } from '../recovery/save-removed.ts';
import type { ShaperSetup } from './ask-shaper.ts';
import { type Agreed, converse, type Judged } from './converse.ts';
import { findBegun } from './find-begun.ts';
import { keepIssues } from './keep-issues.ts';
import { findFaults, listProblems } from './shape-plan.ts';
import { buildRevisionPrompt } from './shaper-prompt.ts';

export interface RevisionRequest extends ShaperSetup {
  epicId: string;
  wish: string;
  /** The schema of an epic draft, as JSON Schema. */
  schema: object;
}

/** A revision of an epic that is not written yet. */
export interface Revision {
  epicId: string;
  /** The epic as Markdown. */
  before: string;
  after: string;
  /** The draft that was agreed on. */
  draft: EpicDraft;
  staged: StagedFiles;
  /** The ids of stories that are put into the trash. */
  removes: string[];
}

export interface Revised {
  /** What changed, one line for each file. */
  files: string[];
  created: string[];
  removed: string[];
}

/** Lets the agent propose a change of an epic. Writes nothing to the plan. */
export async function revisePlan(request: RevisionRequest): Promise<Agreed<Revision>> {
  const { paths, env, epicId, wish, schema } = request;
  const given = await loadPlan(paths, env, epicId);
  if (given.begun.size === given.draft.stories.length && given.begun.size > 0) {
    throw new SagaError(
      'edit-refused',
      `Every story of ${epicId} has begun, so a revision could change nothing.`,
      `Plan what is new as an epic of its own: saga plan "…", or add a story: saga create --epic ${epicId}`,
    );
  }
  return converse<Revision>(request, {
    ...{ schema, folder: paths.root },
    prompt: buildRevisionPrompt({
      plan: formatJson(given.draft).trimEnd(),
      wish,
      begun: [...given.begun],
      taken: listIds(paths),
    }),
    judge: (answer) => judge(request, given, answer),
  });
}

/** Makes the changes of a revision in one step. The stories that it removes must already be in the trash. */
export async function applyRevision(
  paths: Paths,
  env: Environment,
  revision: Revision,
  keep: KeepRemoved,
): Promise<Revised> {
  const { epicId, draft, staged, removes } = revision;
  const touched = new Set([...(staged.changes ?? []).map(({ story }) => story), ...removes]);
  const keepAll: KeepRemoved = async (files) => {
    await keep(files);
    for (const id of removes) await saveRemoved(paths, id, env);
  };
  await placeEdit(paths, [...touched], keepAll, async () => {
    const given = await loadPlan(paths, env, epicId);
    const now = await stage(paths, given, draft);
    if ('problems' in now || !isDeepStrictEqual(now.staged, staged)) throw changedMeanwhile(epicId);
    return staged;
  });
  return {
    files: describeStaged(staged),
    created: staged.stories.map(({ story }) => story.id),
    removed: removes,
  };
}

const changedMeanwhile = (epicId: string) =>
  new SagaError(
    'edit-refused',
    `${epicId} was changed, or one of its stories began, while you decided. Nothing was changed.`,
    'Ask again: saga plan --revise sees the plan as it is now.',
  );

/** An epic as it is now. */
interface GivenPlan {
  draft: EpicDraft;
  begun: ReadonlySet<string>;
}

async function loadPlan(paths: Paths, env: Environment, epicId: string): Promise<GivenPlan> {
  const item = loadItem(paths, epicId);
  if (item.kind === 'story') {
    throw new SagaError(
      'usage',
      `${epicId} is a story, and saga plan --revise changes epics.`,
      `Change it yourself: saga edit ${epicId} --markdown. Split a task: saga plan --split ${epicId}/TASK`,
    );
  }
  const unread = findUnread(paths, item);
  if (unread.length > 0) throw toError(unread);
  const draft = EpicDraft.parse(loadAsDraft(paths, item));
  const own = new Set(draft.stories.map(({ id }) => id));
  const { stories } = await loadOverview(paths, env);
  return { draft, begun: findBegun(stories.filter(({ id }) => own.has(id))) };
}

async function judge(
  { paths, env, epicId }: RevisionRequest,
  given: GivenPlan,
  answer: unknown,
): Promise<Judged<Revision>> {
  const result = readDraft(answer);
  if ('problems' in result) return { problems: result.problems, advice: [] };
  const read = EpicDraft.safeParse(answer);
  if (!read.success || !result.files.epic) {
    return { problems: findFaults(result.files), advice: [] };
  }
  const draft = keepIssues(read.data, given.draft);
  const staged = await stage(paths, given, draft);
  if ('problems' in staged) return { problems: staged.problems, advice: [] };
  const { removes } = staged;
  const after = keepBegun(given, draft);
  const revision = {
    ...{ epicId, draft, removes, staged: staged.staged },
    ...{ before: writePlan(given.draft), after: writePlan(after) },
  };
  const { config } = loadConfig(paths, { environment: env });
  const lint = (it: EpicDraft) => {
    const read = readDraft(it);
    if ('problems' in read || !read.files.epic) return [];
    const { epic, stories } = read.files;
    return lintPlan({ stories, epics: [epic], verify: config.gate.verify });
  };
  // Only new advice counts, because the person did not ask about the rest.
  const known = new Set(lint(given.draft).map(({ message }) => message));
  const advice = lint(after).filter(({ message }) => !known.has(message));
  return { value: revision, problems: [], advice };
}

/** Returns the files that a proposal changes, or why it may not change them. */
async function stage(
  paths: Paths,
  given: GivenPlan,
  proposal: EpicDraft,
): Promise<{ staged: StagedFiles; removes: string[] } | { problems: Problem[] }> {
  const { draft: now, begun } = given;
  const problems = [...findTouched(given, proposal), ...findLost(now, proposal)];
  const after = keepBegun(given, proposal);
  const alone = readDraft(after);
  if ('problems' in alone) return { problems: [...problems, ...alone.problems] };
  const open = alone.files.stories.filter(({ story }) => !begun.has(story.id));
  const faults = findFaults({ ...alone.files, stories: open });
  // It is no fault if a revision has no new story.
  problems.push(...faults.filter(({ story }) => story !== undefined));
  if (problems.length > 0) return { problems };
  const kept = new Set(after.stories.map(({ id }) => id));
  const removed = now.stories.filter(({ id }) => !kept.has(id));
  const whole = readDraft({ ...after, stories: [...after.stories, ...removed] });
  if ('problems' in whole) return { problems: whole.problems };
  try {
    const known = now.stories.map(({ id }) => id);
    const staged = stageEdit(paths, loadItem(paths, now.id), whole.files, known);
    await requireFits(paths, staged);
    const removes = removed.map(({ id }) => id);
    return { staged: withoutStories(paths, now.id, staged, removes), removes };
  } catch (error) {
    return { problems: listProblems(error) };
  }
}

/** Adds the removal of stories: they leave their epic, and their dependents wait for their blockers. */
function withoutStories(
  paths: Paths,
  epicId: string,
  staged: StagedFiles,
  removes: readonly string[],
): StagedFiles {
  if (removes.length === 0) return staged;
  const file = epicFile(paths, epicId);
  const text = staged.epics.get(epicId) ?? loadJsonFile(paths.root, file, Epic).text;
  const { children } = Epic.parse(JSON.parse(text));
  const left = removes.reduce(withoutChild, children);
  const epics = new Map(staged.epics).set(epicId, editJson(text, { children: left }));
  return { ...staged, epics, removes };
}

/** Returns the proposal together with the begun stories that it left out, unchanged. */
function keepBegun({ draft, begun }: GivenPlan, proposal: EpicDraft): EpicDraft {
  const own = new Map(draft.stories.filter(({ id }) => begun.has(id)).map((it) => [it.id, it]));
  const stories = proposal.stories.map((it) => own.get(it.id) ?? it);
  const there = new Set(stories.map(({ id }) => id));
  return {
    ...proposal,
    stories: [...stories, ...[...own.values()].filter((it) => !there.has(it.id))],
  };
}

/** Returns a problem for each begun story that the proposal changes. */
function findTouched({ draft, begun }: GivenPlan, proposal: EpicDraft): Problem[] {
  const own = new Map(draft.stories.map((it) => [it.id, it]));
  return proposal.stories.flatMap((story) => {
    const known = own.get(story.id);
    if (!known || !begun.has(story.id)) return [];
    if (isDeepStrictEqual(withoutStatus(story, draft.id), withoutStatus(known, draft.id)))
      return [];
    return [
      {
        code: 'edit-refused' as const,
        message: `Story ${story.id} has begun, and the proposal changes it.`,
        hint: 'Leave it, its tasks and its blockedBy exactly as they are. Plan more work as a new story.',
        story: story.id,
      },
    ];
  });
}

/** A worker may write statuses while the Shaper thinks. */
const withoutStatus = ({ tasks, ...story }: StoryDraft, epic: string) => ({
  ...{ ...story, epic },
  tasks: tasks.map(({ status: _, ...task }) => task),
});

/** Problems for an epic that is renamed, or loses epics inside it. */
function findLost(now: EpicDraft, proposal: EpicDraft): Problem[] {
  const listed = new Set(proposal.children.map(({ id }) => id));
  const lost = now.children.filter(({ id }) => !listed.has(id)).map(({ id }) => id);
  const message = `The proposal leaves out ${lost.join(', ')}, which the epic contains.`;
  const hint = 'Keep "children" as it is.';
  return [
    ...(lost.length > 0 ? [{ code: 'edit-refused' as const, message, hint }] : []),
    ...(proposal.id === now.id
      ? []
      : [
          {
            code: 'edit-refused' as const,
            message: `The proposal is about epic ${proposal.id}.`,
            hint: `Keep the id ${now.id}.`,
          },
        ]),
  ];
}
