import type { Epic } from '../plan/epic.ts';
import type { Membership } from '../plan/graph.ts';
import { deriveProgress, deriveStatus } from '../plan/status.ts';
import type { Problem } from '../words/problem.ts';
import { EpicTree, type FindTrouble } from './epic-tree.ts';
import { type LifeState, TWO_COPIES } from './life.ts';
import type { EpicView, Hindrance, Overview, Reason, StoryView } from './overview.ts';
import { OVERVIEW_VERSION } from './overview-version.ts';
import { buildStallReason } from './stall.ts';
import type { LocatedStory } from './story-facts.ts';

export interface OverviewSource {
  stories: readonly LocatedStory[];
  epics: readonly Epic[];
  problems: readonly Problem[];
  running?: Membership;
  troubleOf?: FindTrouble;
}

export function deriveOverview(
  source: OverviewSource,
  tree: EpicTree = new EpicTree(source),
): Overview {
  const stories = source.stories.map((story) => deriveStoryView(story, tree));
  const epics = source.epics.map((epic) => deriveEpicView(epic, tree));
  return { version: OVERVIEW_VERSION, stories, epics, problems: [...source.problems] };
}

export function deriveStoryView(story: LocatedStory, tree: EpicTree): StoryView {
  const { facts, home, running, session, traces } = story;
  const blockedBy = tree.isDone(facts.id) ? [] : tree.findBlockers(facts.id);
  const { state, reason, next, remedy, since } = tree.lifeOf(story, blockedBy);
  const needsYou = findReasons(story, state);
  return {
    id: facts.id,
    title: facts.title,
    epic: facts.epic ?? tree.parentOf.get(facts.id) ?? null,
    status: deriveStatus(facts.counts),
    state,
    reason,
    next: next ?? null,
    remedy: remedy ?? null,
    since: since ?? null,
    ended: traces?.lastEnd?.outcome ?? null,
    unverified: facts.evidence?.outcome === 'passed' && facts.evidence.unverified === true,
    ready: state === 'ready',
    blockedBy,
    hindrances: findHindrances(story, state, blockedBy),
    running,
    session: session ?? null,
    needsYou: needsYou.length > 0 ? needsYou : null,
    progress: deriveProgress(facts.counts),
    working: facts.working ?? null,
    home,
    branch: facts.branch ?? null,
    pr: facts.pr ?? null,
    labels: facts.labels ?? [],
    behind: story.traces?.behind ?? null,
  };
}

export function deriveEpicView(epic: Epic, tree: EpicTree): EpicView {
  const isDone = tree.isDone(epic.id);
  const blockedBy = isDone ? [] : tree.findBlockers(epic.id);
  const { completed, inReview, total } = tree.progressOf(epic.id);
  const trouble = tree.troubleOf(epic.id);
  return {
    id: epic.id,
    title: epic.title,
    epic: tree.parentOf.get(epic.id) ?? null,
    status: tree.statusOf(epic.id),
    state: tree.stateOf(epic.id),
    ...(trouble && { stuck: { reason: trouble.reason, next: trouble.next, since: trouble.since } }),
    ready: !isDone && blockedBy.length === 0,
    blockedBy,
    progress: { completed, total },
    inReview,
    children: epic.children.map(({ id, blockedBy }) => ({ id, blockedBy })),
    branch: epic.branch ?? null,
    pr: epic.pr ?? null,
    labels: epic.labels ?? [],
  };
}

/**
 * Lists why a story needs a person. The list is empty for a story that is done, and never empty in the state `needs
 * you`.
 */
function findReasons(story: LocatedStory, state: LifeState): Reason[] {
  if (state === 'done') return [];
  const { facts, stalledSince, traces } = story;
  const { blockers = [], feedback = [], answers = [], escalated = [], evidence } = facts;
  const asked = blockers.map(({ title, time }) => reasonOf('blocker', title, time));
  if (state === 'running') {
    // A worker is at work on what ended an earlier one.
    return [
      ...(stalledSince === undefined
        ? []
        : [buildStallReason(stalledSince, story.session?.isAsked)]),
      ...asked,
    ];
  }
  const isFailed = evidence?.outcome === 'failed' && feedback.length + answers.length === 0;
  const failures = isFailed ? (evidence.failures ?? []) : [];
  const { lastEnd } = traces ?? {};
  const refusal = lastEnd?.code === 'credential-refused' ? [lastEnd.reason] : [];
  const found = [
    ...(facts.broken ? [reasonOf('unreadable', 'one of its files cannot be read')] : []),
    ...asked,
    ...escalated.map(({ subject }) => reasonOf('escalated', subject, lastEnd?.at)),
    ...(traces?.hasTwoCopies ? [reasonOf('copies', TWO_COPIES)] : []),
    ...failures.map((title) => reasonOf('gate', title, evidence?.at)),
    ...refusal.map((title) => reasonOf('credential', title, lastEnd?.at)),
  ];
  const { trouble } = traces ?? {};
  if (found.length > 0 || state !== 'needs you' || !trouble) return found;
  return [reasonOf('epic', trouble.reason, trouble.since)];
}

/** Lists what is in the way of a run of the story. Both the pages and the start of a worker use this list. */
function findHindrances(
  { facts, running, traces }: LocatedStory,
  state: LifeState,
  blockedBy: readonly string[],
): Hindrance[] {
  if (state === 'done') return ['nothing-to-do'];
  const { blockers = [], counts } = facts;
  const applies: Record<Hindrance, boolean> = {
    running,
    unreadable: facts.broken ?? false,
    copies: traces?.hasTwoCopies ?? false,
    waits: blockedBy.length > 0,
    blocker: blockers.length > 0,
    'held-up': facts.heldUp ?? false,
    'nothing-to-do': state === 'in review' || deriveProgress(counts).total === 0,
  };
  return (Object.keys(applies) as Hindrance[]).filter((it) => applies[it]);
}

function reasonOf(kind: Reason['kind'], title: string, since?: string): Reason {
  return { kind, title, since };
}
