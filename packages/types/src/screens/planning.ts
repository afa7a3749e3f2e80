import type { Advice } from '../plan/advice.ts';
import type { EpicDraft, StoryDraft } from '../plan/draft.ts';
import type { DraftView } from '../plan/follow-up.ts';
import type { ErrorAnswer } from './dashboard.ts';

/** What the pages that write plans ask of the dashboard's server, and what it answers. */

export type PlanDraft = EpicDraft | StoryDraft;

/** A draft as a page holds it: as Markdown, or as data while it is edited in a form or a graph. */
export type DraftContent = { text: string } | { plan: PlanDraft };

/** Something that is wrong in a draft: nothing is created or saved until it is mended. */
export interface DraftProblem {
  message: string;
  hint: string;
  /** The line, counted from 1. Only set if the draft is a text. */
  line?: number;
  /** The path of a field in the draft, such as `stories[0].title`. */
  field?: string;
}

/** Advice on a draft, with the place of what it is about. */
export type DraftAdvice = Advice & Pick<DraftProblem, 'line' | 'field'>;

/** POST /api/plan/check: what is wrong with a draft, and what could be better. Nothing is written. */
export interface CheckRequest {
  content: DraftContent;
  /** The story or epic that the draft changes; without it the draft creates something. */
  item?: string;
}

export interface CheckAnswer {
  problems: DraftProblem[];
  /** Fields that are kept and have no effect. */
  notes: DraftProblem[];
  advice: DraftAdvice[];
  /** The draft as data and as Markdown; null if the text cannot be read as a plan. */
  plan: PlanDraft | null;
  markdown: string | null;
  /** False if a page would lose characters of the draft: then it is edited as Markdown only. */
  isPlain: boolean;
}

/** GET /api/plan/new: what a new draft can begin with. */
export interface NewPlanAnswer {
  /** A mark that distinguishes the drafts of projects that are served at the same address. */
  project: string;
  templates: { name: string; text: string }[];
  /** The most that a proposal of the agent costs, if nobody says otherwise. */
  usualUsd: number;
}

/** POST /api/plan/create */
export interface CreateRequest {
  content: DraftContent;
}

export interface CreateAnswer {
  epic?: string;
  stories: string[];
  message: string;
  hint: string;
}

/** GET /api/plan/items/:id: a story with its tasks, or an epic with its stories, as a document. */
export interface PlanDocumentAnswer {
  id: string;
  kind: 'story' | 'epic';
  title: string;
  project: string;
  text: string;
  /** Names this state of the document. */
  version: string;
  /** Why the document cannot be saved now, such as a worker that works on a story of it. */
  held: ErrorAnswer['error'] | null;
}

/** POST /api/plan/items/:id */
export interface SaveRequest {
  content: DraftContent;
  /** The version that the person began with. */
  version: string;
}

/** If the document was changed meanwhile, nothing is saved and the newer one is answered. */
export type SaveAnswer =
  | { saved: true; message: string; files: string[]; document: PlanDocumentAnswer }
  | { saved: false; newer: PlanDocumentAnswer };

/** POST /api/plan/proposal: the agent reads the repository and proposes an epic. */
export interface ProposalRequest {
  goal: string;
  maxUsd: number;
}

export interface ProposalStep {
  /** ISO time. */
  time: string;
  text: string;
}

/** GET /api/plan/proposal: the proposal that is under way, or the last one of this server. */
export interface Proposal {
  /** Counts the proposals of this server. */
  number: number;
  goal: string;
  maxUsd: number;
  startedAt: string;
  endedAt: string | null;
  state: 'running' | 'ready' | 'failed' | 'stopped';
  /** The latest steps, the newest last. */
  steps: ProposalStep[];
  /** How many steps there were. */
  stepCount: number;
  /** The proposal as Markdown. */
  markdown: string | null;
  title: string | null;
  stories: number;
  advice: Advice[];
  rounds: number;
  costUsd: number;
  error: ErrorAnswer['error'] | null;
}

export interface ProposalAnswer {
  proposal: Proposal | null;
}

/** GET /api/drafts/<number>: a story that a run proposes. */
export interface DraftAnswer extends DraftView {
  /** The story as Markdown: exactly what would be created, or what the run wrote if it has faults. */
  text: string;
  /** Why it cannot be created as it is. */
  faults: string[];
  /**
   * Identifies the text. A page that accepts the draft sends it back, so that only the text that was shown is
   * accepted.
   */
  seen: string;
  /** What accepting it would create; null if it has faults. */
  creates: { story: string; tasks: number } | null;
}

/** POST /api/drafts/<number>/accept. */
export interface AcceptRequest {
  seen: string;
}
