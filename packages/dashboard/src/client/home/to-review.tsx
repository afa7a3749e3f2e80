import type { ToReview as Item } from '@saga-ai/types/screens/review/review';
import { STATES } from '@saga-ai/types/screens/story-state';
import { formatPullRequest } from '@saga-ai/types/words/pull-request-number';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toReviewQuery } from '../review/review-queries.ts';
import { count } from '../text/amounts.ts';
import { Age } from '../ui/moments.tsx';
import { Section } from '../ui/section.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';
import { WebLink } from '../ui/web-link.tsx';
import { MoreStories } from './more-stories.tsx';

const SHOWN = 12;

/** What waits for a reviewer, in the order in which it can be landed. */
export function ToReview({ total }: { total: number }) {
  const { data } = useQuery(toReviewQuery);
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  const shown = items.slice(0, SHOWN);
  return (
    <Section id="to-review" title="To review" count={items.length}>
      <ol className="panel divide-y divide-line overflow-hidden">
        {shown.map((item) => (
          <li key={item.id} className="row flex items-center gap-3 pr-4">
            <ReviewLink item={item} />
            {item.pr === null ? null : (
              <span className="shrink-0 text-sm">
                <WebLink to={item.pr}>
                  <span className="sr-only">Open </span>
                  {formatPullRequest(item.pr)}
                </WebLink>
              </span>
            )}
          </li>
        ))}
      </ol>
      <MoreStories shown={shown.length} total={Math.max(total, shown.length)} filter="in-review" />
    </Section>
  );
}

function ReviewLink({ item }: { item: Item }) {
  const className = 'grid min-h-11 min-w-0 grow gap-x-3 py-1.5 pl-4 review-row';
  const content = (
    <>
      <span className="flex min-w-0 items-center gap-2.5">
        <StateGlyph state={STATES['in-review']} />
        <span className="truncate font-medium">{item.title}</span>
        {item.kind === 'epic' ? <span className="text-xs text-faint">epic</span> : null}
      </span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-xs text-faint max-md:pl-[1.625rem]">
        <Evidence item={item} />
        {item.follow ? <span className="text-running">● {item.follow.text}</span> : null}
        {item.after.length > 0 ? <span>after {item.after.join(', ')}</span> : null}
        {item.obstacles.map((text) => (
          <span key={text} className="text-waiting">
            {text}
          </span>
        ))}
      </span>
      <span className="flex items-baseline gap-x-3 text-xs max-md:pl-[1.625rem] md:justify-end">
        <Size item={item} />
        {item.since === null ? null : (
          <span className="text-faint">
            <Age time={item.since} />
          </span>
        )}
      </span>
    </>
  );
  return item.kind === 'story' ? (
    <Link to="/stories/$id/review" params={{ id: item.id }} data-row className={className}>
      {content}
    </Link>
  ) : (
    <Link to="/epics/$id/review" params={{ id: item.id }} data-row className={className}>
      {content}
    </Link>
  );
}

const EVIDENCE = {
  verified: ['text-done', '✓ gate passed'],
  unverified: ['text-waiting', '! gate passed, unverified'],
  none: ['text-faint', 'no valid evidence'],
} as const;

function Evidence({ item }: { item: Item }) {
  const [className, text] = EVIDENCE[item.evidence];
  return <span className={className}>{text}</span>;
}

function Size({ item: { size } }: { item: Item }) {
  if (!size) return null;
  return (
    <span className="flex gap-1.5 whitespace-nowrap">
      <span className="text-soft">{count(size.files, 'file')}</span>
      <span className="text-done">+{size.added}</span>
      <span className="text-needs-you">−{size.removed}</span>
    </span>
  );
}
