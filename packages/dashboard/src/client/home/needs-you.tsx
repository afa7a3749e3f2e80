import type { Reason, StoryView } from '@saga-ai/types/screens/overview';
import { Link } from '@tanstack/react-router';
import { Age } from '../ui/moments.tsx';
import { Command } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { Silence, StallAdvice } from '../ui/stall-advice.tsx';
import { MoreStories } from './more-stories.tsx';

const WORDS: Record<Reason['kind'], { what: string; action: string; hash: string }> = {
  blocker: { what: 'asks', action: 'Answer', hash: 'needs-you' },
  escalated: { what: 'gave up on a task', action: 'See the task', hash: 'tasks' },
  copies: { what: 'has two copies of its plan', action: 'See the story', hash: 'needs-you' },
  gate: { what: 'did not pass the gate', action: 'See the evidence', hash: 'evidence' },
  unreadable: { what: 'has a broken file', action: 'See the story', hash: 'needs-you' },
  credential: { what: 'was refused by the model', action: 'See the story', hash: 'needs-you' },
  epic: { what: 'is stuck in its epic', action: 'See the story', hash: 'needs-you' },
  stalled: { what: 'stalled', action: 'See the story', hash: 'needs-you' },
};

const SHOWN = 10;

export function NeedsYou({ stories, total }: { stories: readonly StoryView[]; total: number }) {
  if (stories.length === 0) return null;
  const shown = stories.slice(0, SHOWN);
  return (
    <Section id="needs-you" title="Needs you" count={total}>
      <ul className="panel divide-y divide-line overflow-hidden border-l-[3px] border-l-needs-you">
        {shown.flatMap((story) =>
          (story.needsYou ?? []).map((reason, index) => (
            <li key={`${story.id} ${reason.kind} ${reason.title}`}>
              <NeedsYouRow story={story} reason={reason} isFirst={index === 0} />
            </li>
          )),
        )}
      </ul>
      <MoreStories shown={shown.length} total={total} filter="needs-you" />
    </Section>
  );
}

interface NeedsYouRowProps {
  story: StoryView;
  reason: Reason;
  /** True for the first reason of a story, which the story's command is about. */
  isFirst: boolean;
}

function NeedsYouRow({ story, reason, isFirst }: NeedsYouRowProps) {
  const { what, action, hash } = WORDS[reason.kind];
  const isStall = reason.kind === 'stalled';
  return (
    <Link
      to="/stories/$id"
      params={{ id: story.id }}
      hash={hash}
      data-row
      className="row flex items-center gap-x-3 gap-y-2 px-4 py-2.5 max-sm:flex-col max-sm:items-start"
    >
      <span className="min-w-0 grow">
        <span className={`block text-base font-medium ${isStall ? 'first-letter:uppercase' : ''}`}>
          {isStall && reason.since ? (
            <Silence since={reason.since} isAsked={reason.isAsked} />
          ) : (
            reason.title
          )}
        </span>
        <span className="block text-sm text-faint">
          <span className="text-soft">{story.title}</span> {what}
          {reason.since && !isStall ? (
            <>
              {' · '}
              <Age time={reason.since} />
            </>
          ) : null}
        </span>
        {isStall ? (
          <span className="mt-1 block text-sm text-soft">
            <StallAdvice storyId={story.id} />
          </span>
        ) : null}
        {!isStall && isFirst && story.next !== null ? (
          <span className="mt-1 block text-sm text-soft">
            {story.remedy} <Command>{story.next}</Command>
          </span>
        ) : null}
      </span>
      <span className="shrink-0 rounded-md border border-control px-2.5 py-1 text-sm font-medium text-needs-you">
        {action}
      </span>
    </Link>
  );
}
