import { loadDrafts } from '@saga-ai/core/drafts/draft-box';
import { loadEpicCalls } from '@saga-ai/core/epic/look/load-epic-calls';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { type DraftView, viewDraft } from '@saga-ai/types/plan/follow-up';
import { isInFlight } from '@saga-ai/types/screens/in-flight';
import { deriveInbox } from '@saga-ai/types/screens/inbox';
import type { InboxJson } from '@saga-ai/types/screens/json/run';
import type { InboxItem, StoryView } from '@saga-ai/types/screens/overview';
import { listStallCommands } from '@saga-ai/types/screens/stall';
import { STATES, type State, stateOfStory } from '@saga-ai/types/screens/story-state';
import { formatAge } from '@saga-ai/types/words/times';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import type { Output } from '../../output/output.ts';
import { cleanLine, hang } from '../../output/text.ts';

export const command: Command<InboxJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.InboxJson),
  about: `Lists the stories with an open question, a failed gate or a task that was tried too often, the stories
whose worker ended before they were done, the stories in review, the epics that wait to be landed, and the epics whose
scheduler was killed. The oldest come first. The command after the arrow is the one that helps. saga blockers shows the
questions in full. Stories that runs propose follow; they are drafts, and no stories until you accept them.

With --brief, prints one line of ids and kinds, and nothing if nothing waits: for a prompt, a status bar or a hook.`,
  options: { brief: { type: 'boolean', help: 'one line, without the words of runs' } },
  async run({ paths, out, flag }) {
    const overview = await loadOverview(paths(), environment.handedOver());
    const { stories, problems: found } = overview;
    const calls = await loadEpicCalls(paths(), overview);
    const items = deriveInbox(stories, calls);
    const kept = loadDrafts(paths());
    const drafts = kept.drafts.filter(({ state }) => state === 'open').map(viewDraft);
    const problems = [...found, ...kept.problems];
    if (out.json) return void out.value({ items, drafts, problems });
    if (flag('brief')) return void out.lines(items.length === 0 ? [] : [formatBrief(items)]);
    out.problems(problems);
    if (items.length + drafts.length === 0) return void out.lines(['Nothing waits for you.']);
    const byId = new Map(stories.map((story) => [story.id, story]));
    const hasDied =
      stories.some((story) => isInFlight(story) && story.ended === 'died') ||
      calls.some(({ state }) => state === 'interrupted');
    out.lines([
      ...items.flatMap((item) => formatItem(item, lookOf(item, byId.get(item.story)), out)),
      ...drafts.flatMap((draft) => formatDraft(draft, out)),
      ...(hasDied ? ['', 'Workers were killed: saga recover shows what was in flight.'] : []),
    ]);
    return 0;
  },
};

function formatDraft({ title, from, time, next }: DraftView, out: Output): string[] {
  const head = `a run of ${from} proposes a story · ${formatAge(time, Date.now())}`;
  return [
    ...hang(`+ ${out.paint('strong', 'draft')}  `, out.paint('quiet', head), out.width),
    ...hang('  ', cleanLine(title), out.width),
    `  → ${next}`,
  ];
}

/** The most stories that the line of `--brief` names. */
const MOST_BRIEF = 5;

const KIND_WORDS: Readonly<Record<InboxItem['kind'], string>> = {
  blocker: 'open question',
  escalated: 'tried too often',
  copies: 'two copies of its plan',
  gate: 'gate failed',
  stalled: 'stalled',
  unreadable: 'unreadable',
  credential: 'credential refused',
  epic: 'not started or merged by its epic',
  error: 'ended with an error',
  interrupted: 'interrupted',
  review: 'in review',
};

/**
 * Contains only ids and kinds. A model may have written titles and reasons, and this line may go into the prompt of
 * another model.
 */
function formatBrief(items: readonly InboxItem[]): string {
  const shown = items
    .slice(0, MOST_BRIEF)
    .map(({ item, story, kind }) => `${nameItem({ item, story })} (${KIND_WORDS[kind]})`);
  const more = items.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const nameItem = ({ item, story }: Pick<InboxItem, 'item' | 'story'>): string =>
  item === 'epic' ? `epic ${story}` : story;

const lookOf = ({ item, kind }: InboxItem, story: StoryView | undefined): State | undefined => {
  if (item === 'epic') {
    return STATES[kind === 'epic' ? 'needs-you' : kind === 'review' ? 'in-review' : 'interrupted'];
  }
  return story && stateOfStory(story);
};

function formatItem(item: InboxItem, state: State | undefined, out: Output): string[] {
  const { story, kind, reasons, since, remedy, next, holdsUp } = item;
  const head = [
    state?.word ?? item.state,
    since === null ? '' : formatAge(since, Date.now()),
    holdsUp.length === 0 ? '' : `holds up ${holdsUp.join(', ')}`,
  ];
  const commands = kind === 'stalled' ? listStallCommands(story) : [next];
  return [
    ...hang(
      `${out.paint(state?.tone ?? 'plain', state?.glyph ?? '!')} ${out.paint('strong', nameItem(item))}  `,
      out.paint('quiet', head.filter(Boolean).join(' · ')),
      out.width,
    ),
    ...reasons.flatMap((reason) => hang('  ', cleanLine(reason), out.width)),
    ...(remedy === null ? [] : hang('  ', cleanLine(remedy), out.width)),
    ...commands.map((it) => `  → ${it}`),
  ];
}
