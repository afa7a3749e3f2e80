import type * as z from 'zod/mini';
import { Task } from '../../plan/task.ts';
import { Evidence, GateCheck, VerifyRun } from '../../run/evidence.ts';
import { Problem } from '../../words/problem.ts';
import { Finding } from '../finding.ts';
import { EpicView, InboxItem, Reason, SessionView, StoryView } from '../overview.ts';
import { JournalEntry, SearchHit, ShownEpic, ShownStory, TreeNode } from './plan.ts';
import { ListedSession } from './run.ts';
import { TaskTreeNode, TaskView } from './task.ts';

interface Shape {
  schema: z.core.$ZodType;
  about: string;
}

/** Parts that several outputs share, by their names in the reference. */
export const SHAPES = {
  StoryView: { schema: StoryView, about: 'A story as every screen receives it.' },
  EpicView: { schema: EpicView, about: 'An epic as every screen receives it.' },
  Reason: { schema: Reason, about: 'Why a story needs you.' },
  InboxItem: { schema: InboxItem, about: 'A story or an epic that waits for a person.' },
  SessionView: { schema: SessionView, about: 'What a living worker does.' },
  Problem: { schema: Problem, about: 'Something wrong in a file, beside what is good.' },
  ShownStory: {
    schema: ShownStory,
    about: '`story.json` with all that a `StoryView` has; fields of your own are shown too.',
  },
  ShownEpic: { schema: ShownEpic, about: 'The file of an epic with all that an `EpicView` has.' },
  Task: { schema: Task, about: '`<task>.json` of a story; fields of your own are shown too.' },
  TaskView: { schema: TaskView, about: 'A task of a native list, or of a story seen as one.' },
  JournalEntry: { schema: JournalEntry, about: "An entry of a story's journal." },
  TreeNode: { schema: TreeNode, about: 'An epic, a story or a task, with what is below it.' },
  TaskTreeNode: { schema: TaskTreeNode, about: 'A task, with those that wait for it.' },
  SearchHit: { schema: SearchHit, about: 'Something that was found.' },
  Session: { schema: ListedSession, about: 'A worker, while it lives and after.' },
  Evidence: {
    schema: Evidence,
    about: '`evidence.json`: what the gate looked at and found.',
  },
  GateCheck: { schema: GateCheck, about: 'One check of the gate.' },
  VerifyRun: { schema: VerifyRun, about: 'The `verify` command, as it was run.' },
  Finding: { schema: Finding, about: 'What `saga doctor` or `saga rehearse` looked at.' },
} as const satisfies Record<string, Shape>;
