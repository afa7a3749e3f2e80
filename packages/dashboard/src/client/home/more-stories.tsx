import type { StoryFilter } from '@saga-ai/types/screens/dashboard';
import { Link } from '@tanstack/react-router';

interface MoreStoriesProps {
  shown: number;
  total: number;
  filter: StoryFilter;
}

export function MoreStories({ shown, total, filter }: MoreStoriesProps) {
  if (shown >= total) return null;
  return (
    <p className="px-1 pt-1.5 text-sm">
      <Link to="/" search={{ filter }} hash="all" className="link">
        {(total - shown).toLocaleString('en')} more
      </Link>
    </p>
  );
}
