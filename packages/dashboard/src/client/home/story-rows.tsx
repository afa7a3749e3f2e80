import type { StoryView } from '@saga-ai/types/screens/overview';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useMedia } from '../ui/use-media.ts';
import { StoryRow } from './story-row.tsx';

interface StoryRowsProps {
  stories: readonly StoryView[];
  hasMore: boolean;
  loadMore: () => void;
}

/** A list of up to ten thousand stories. Only the visible ones are elements of the page. */
export function StoryRows({ stories, hasMore, loadMore }: StoryRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const height = useMedia('(min-width: 64rem)') ? 37 : 57;
  const [top, setTop] = useState(0);
  // The parts above the list change their height.
  useLayoutEffect(() => {
    const measure = () =>
      setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const rows = useWindowVirtualizer({
    count: stories.length,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => stories[index]?.id ?? index,
  });
  useLayoutEffect(() => {
    if (height > 0) rows.measure();
  }, [height, rows]);
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= stories.length - 20) loadMore();
  }, [hasMore, last, stories.length, loadMore]);
  return (
    <div className="panel overflow-hidden">
      <ul ref={list} className="relative" style={{ height: rows.getTotalSize() }}>
        {items.map((item) => {
          const story = stories[item.index];
          return story ? (
            <li
              key={item.key}
              className="absolute inset-x-0 top-0 border-b border-line last:border-b-0"
              style={{
                height: item.size,
                transform: `translateY(${item.start - rows.options.scrollMargin}px)`,
              }}
            >
              <StoryRow story={story} />
            </li>
          ) : null;
        })}
      </ul>
    </div>
  );
}
