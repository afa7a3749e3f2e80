import type { EpicCall, InboxItem, Reason, StoryView } from './overview.ts';

/** Derives everything that waits for a person, the oldest first. Entries of unknown age come last. */
export function deriveInbox(
  stories: readonly StoryView[],
  calls: readonly EpicCall[] = [],
): InboxItem[] {
  const heldUp = findHeldUp(stories);
  const items = [
    ...stories.filter(isForYou).map((story) => toItem(story, heldUp.get(story.id) ?? [])),
    ...calls.map((call) => toEpicItem(call, heldUp.get(call.epic.id) ?? [])),
  ];
  return items.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.story < b.story ? -1 : 1));
}

const FOR_YOU: readonly StoryView['state'][] = ['needs you', 'interrupted', 'in review'];

/** Whether a person must act: the story needs one, nobody works on it, or it waits for a review. */
export function isForYou({ needsYou, state }: StoryView): boolean {
  return needsYou !== null || FOR_YOU.includes(state);
}

function toItem(story: StoryView, holdsUp: string[]): InboxItem {
  const { id, title, epic, state, reason, since, remedy, next } = story;
  const reasons = (story.needsYou ?? []).map(describeReason);
  return {
    item: 'story',
    story: id,
    title,
    epic,
    state,
    kind: kindOf(story),
    reasons: reasons.length > 0 ? reasons : [reason],
    since,
    remedy,
    next: next ?? `saga show ${id}`,
    holdsUp,
  };
}

const EPIC_KINDS: Readonly<Record<EpicCall['state'], InboxItem['kind']>> = {
  'needs you': 'epic',
  'in review': 'review',
  interrupted: 'interrupted',
};

function toEpicItem({ epic, state, reason, since, next }: EpicCall, holdsUp: string[]): InboxItem {
  const kind = EPIC_KINDS[state];
  const { id, title } = epic;
  return {
    ...{ item: 'epic', story: id, title, epic: epic.epic, state, kind },
    ...{ reasons: [reason], since, remedy: null, next, holdsUp },
  };
}

function kindOf({ needsYou, state, ended }: StoryView): InboxItem['kind'] {
  const [reason] = needsYou ?? [];
  if (reason) return reason.kind;
  if (state === 'in review') return 'review';
  return state === 'interrupted' && ended === 'error' ? 'error' : 'interrupted';
}

/** Words before the title of a reason, if the title alone does not say what it is. */
const KINDS: Readonly<Partial<Record<Reason['kind'], string>>> = {
  blocker: 'open question',
  escalated: 'tried too often',
  gate: 'gate failed',
};

function describeReason({ kind, title }: Reason): string {
  const what = KINDS[kind];
  return what === undefined ? title : `${what}: ${title}`;
}

/** Finds which stories wait for each item. */
function findHeldUp(stories: readonly StoryView[]): ReadonlyMap<string, string[]> {
  const heldUp = new Map<string, string[]>();
  for (const { id, blockedBy } of stories) {
    for (const other of blockedBy) {
      const known = heldUp.get(other);
      if (known) known.push(id);
      else heldUp.set(other, [id]);
    }
  }
  return heldUp;
}

function timeOf({ since }: InboxItem): number {
  const time = since === null ? Number.NaN : Date.parse(since);
  return Number.isNaN(time) ? Number.MAX_VALUE : time;
}
