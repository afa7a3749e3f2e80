import * as z from 'zod/mini';
import { Advice } from '../../plan/advice.ts';
import { Epic } from '../../plan/epic.ts';
import { JOURNAL_KINDS } from '../../plan/journal.ts';
import { Story } from '../../plan/story.ts';
import { Task, TaskStatus } from '../../plan/task.ts';
import { Problem } from '../../words/problem.ts';
import { LIFE_STATES } from '../life.ts';
import { EpicView, ProgressView, StoryView } from '../overview.ts';

/** The `--json` output of the commands of the plan. The key `version` comes first. */
const texts = z.array(z.string());
const problems = z.array(Problem);

export const InitJson = z.strictObject({
  project: z.string(),
  created: texts,
  setup: z
    .nullable(z.string())
    .check(z.describe('The command that sets up a new worktree; null if init found none.')),
  verify: z
    .nullable(z.string())
    .check(z.describe('The verify command of the gate; null if init found none.')),
});
export type InitJson = z.infer<typeof InitJson>;

export const CreateJson = z.strictObject({
  created: z.strictObject({
    epic: z.optional(z.string()),
    stories: texts,
    tasks: z.number().check(z.describe('The number of tasks.')),
  }),
  problems: problems.check(z.describe('Fields that SAGA does not know. They were kept.')),
  advice: z.array(Advice).check(z.describe('What could be better in the new stories.')),
});
export type CreateJson = z.infer<typeof CreateJson>;

export const EditJson = z.strictObject({
  file: z.string(),
  changed: z.boolean(),
  problems: problems.check(z.describe('Fields that SAGA does not know. They were kept.')),
  files: z.optional(texts.check(z.describe('With --markdown: what changed.'))),
});
export type EditJson = z.infer<typeof EditJson>;

export const JournalEntry = z.strictObject({
  id: z
    .string()
    .check(z.describe('Its time and a digest of its words. No other entry has the same.')),
  kind: z.enum(JOURNAL_KINDS),
  title: z.string(),
  body: z.string(),
  time: z.optional(
    z
      .string()
      .check(z.describe('ISO time. It is missing if a person wrote the entry without one.')),
  ),
  resolves: z.optional(
    z.string().check(z.describe('Of a Resolution: the id of the entry that it closes.')),
  ),
});

export const JournalJson = z.union([
  z.strictObject({
    story: z.string(),
    entries: z.array(JournalEntry),
    openBlockers: z.array(JournalEntry),
  }),
  z.strictObject({ story: z.string(), entry: JournalEntry, file: z.string() }),
]);
export type JournalJson = z.infer<typeof JournalJson>;

export const CheckJson = z.strictObject({
  problems,
  stories: z.number(),
  epics: z.number(),
  advice: z.optional(z.array(Advice).check(z.describe('With --plan: what could be better.'))),
  oldPlans: z
    .array(z.strictObject({ format: z.string(), files: texts }))
    .check(z.describe('Plans in older or foreign formats, which saga migrate reads.')),
});
export type CheckJson = z.infer<typeof CheckJson>;

/** The fields about a conversation with a Shaper. */
const shaped = {
  advice: z.array(Advice),
  rounds: z.number().check(z.describe('How often Claude Code answered.')),
  costUsd: z.number(),
};

export const PlanJson = z.union([
  z.strictObject({
    markdown: z.string().check(z.describe('The plan that was proposed.')),
    created: z.nullable(
      z.strictObject({ epic: z.optional(z.string()), stories: texts, tasks: z.number() }),
    ),
    estimate: z
      .nullable(z.strictObject({ usd: z.number(), basedOn: z.number() }))
      .check(
        z.describe(
          'What running it will probably cost, by what earlier stories cost a task; null if none ended well.',
        ),
      ),
    ...shaped,
  }),
  z.strictObject({
    epic: z.string().check(z.describe('With --revise: the epic.')),
    diff: z.string().check(z.describe('The plan as Markdown, before and after.')),
    applied: z.boolean(),
    files: texts.check(z.describe('What changes, one line for each file.')),
    created: texts.check(z.describe('Stories that are new.')),
    removed: texts.check(z.describe('Stories that go into the trash.')),
    ...shaped,
  }),
  z.strictObject({
    story: z.string().check(z.describe('With --split: the story.')),
    task: z.string(),
    into: texts.check(z.describe('The tasks that take its place.')),
    diff: z.string().check(z.describe('The story as Markdown, before and after.')),
    applied: z.boolean(),
    ...shaped,
  }),
]);
export type PlanJson = z.infer<typeof PlanJson>;

export const MigrateJson = z.strictObject({
  plans: z.array(
    z.strictObject({
      format: z.string(),
      files: texts.check(z.describe('The old files, below the project.')),
      epics: texts.check(z.describe('Epics that are new.')),
      stories: texts.check(z.describe('Stories that are new.')),
      tasks: z.number().check(z.describe('The number of tasks that are new.')),
      known: texts.check(z.describe('What was carried over before.')),
      mapped: z.array(
        z.strictObject({
          kind: z.enum(['epic', 'story', 'task', 'journal']).check(z.describe('What it became.')),
          from: z.string(),
          to: z.string(),
        }),
      ),
      notes: z
        .array(z.strictObject({ from: z.string(), note: z.string() }))
        .check(z.describe('What is not carried over as it was.')),
    }),
  ),
  written: z.boolean().check(z.describe('False for a dry run.')),
  removed: texts.check(z.describe('The refs that keep the old files, with --remove.')),
});
export type MigrateJson = z.infer<typeof MigrateJson>;

export const ImportJson = z.strictObject({
  issues: z.array(
    z.strictObject({
      number: z.number(),
      title: z.string(),
      url: z.string(),
      author: z.string(),
      story: z
        .string()
        .check(z.describe('The new story, or the one that the issue became before.')),
      tasks: z.number().check(z.describe('The number of new tasks.')),
      skipped: z.nullable(z.string()).check(z.describe('Why nothing was written for it.')),
    }),
  ),
  written: z.boolean().check(z.describe('False for a dry run.')),
});
export type ImportJson = z.infer<typeof ImportJson>;

export const ExportJson = z.strictObject({
  documents: z.array(
    z.strictObject({
      id: z.string(),
      markdown: z.string(),
      problems: texts.check(z.describe('What of it cannot be read.')),
    }),
  ),
  files: texts.check(z.describe('The files that were written, with --to.')),
});
export type ExportJson = z.infer<typeof ExportJson>;

export const StatusJson = z.strictObject({
  stories: z.array(StoryView),
  epics: z.array(EpicView),
  problems,
});
export type StatusJson = z.infer<typeof StatusJson>;

export const ListJson = z.union([StatusJson, z.strictObject({ archived: texts })]);
export type ListJson = z.infer<typeof ListJson>;

export const ReadyJson = z.strictObject({ stories: z.array(StoryView), problems });
export type ReadyJson = z.infer<typeof ReadyJson>;

/** `story.json` with all facts that are derived from it. */
export const ShownStory = z.extend(Story, StoryView.shape);
export const ShownEpic = z.extend(Epic, EpicView.shape);

export const ShowJson = z.union([
  z.strictObject({
    story: ShownStory,
    tasks: z.array(Task),
    journal: z.array(JournalEntry),
    problems,
  }),
  z.strictObject({ story: z.string(), task: Task }),
  z.strictObject({ epic: ShownEpic, stories: z.array(StoryView), problems }),
  z.strictObject({ markdown: z.string().check(z.describe('With --markdown.')), problems }),
]);
export type ShowJson = z.infer<typeof ShowJson>;

export const TreeNode = z.strictObject({
  kind: z.enum(['epic', 'story', 'task']),
  id: z.string(),
  title: z.string(),
  status: TaskStatus,
  state: z.optional(z.enum(LIFE_STATES).check(z.describe('Of a story or an epic.'))),
  progress: z.optional(ProgressView),
  blockedBy: texts,
  glyph: z.string(),
  tone: z.enum(['done', 'running', 'waiting', 'needs-you', 'plain']),
  get children(): z.ZodMiniArray<typeof TreeNode> {
    return z.array(TreeNode);
  },
});
export type TreeNode = z.infer<typeof TreeNode>;

export const TreeJson = z.strictObject({ tree: z.array(TreeNode), problems });
export type TreeJson = z.infer<typeof TreeJson>;

export const GraphJson = z.strictObject({
  nodes: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      status: TaskStatus,
      state: z.optional(z.enum(LIFE_STATES).check(z.describe('Of a story or an epic.'))),
      blockedBy: z.readonly(texts),
    }),
  ),
  criticalPath: texts.check(
    z.describe('The longest chain that is not completed; empty if nothing waits.'),
  ),
  problems,
});
export type GraphJson = z.infer<typeof GraphJson>;

export const SearchHit = z.strictObject({
  kind: z.enum(['epic', 'story', 'task', 'journal']),
  id: z.string().check(z.describe('The id that `saga show` takes.')),
  title: z.string(),
  score: z.number(),
  excerpt: z.string().check(z.describe('The text around the first hit.')),
});
export const SearchJson = z.strictObject({ hits: z.array(SearchHit) });
export type SearchJson = z.infer<typeof SearchJson>;

export const ArchiveJson = z.strictObject({ archived: texts });
export type ArchiveJson = z.infer<typeof ArchiveJson>;

export const UnarchiveJson = z.strictObject({ unarchived: texts });
export type UnarchiveJson = z.infer<typeof UnarchiveJson>;

export const ConfigJson = z.strictObject({
  settings: z.array(
    z.strictObject({
      key: z.string(),
      value: z.unknown(),
      origin: z.enum(['flag', 'environment', 'file', 'person', 'default']),
    }),
  ),
});
export type ConfigJson = z.infer<typeof ConfigJson>;
