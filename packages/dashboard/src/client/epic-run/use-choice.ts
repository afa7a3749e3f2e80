import { getRouteApi } from '@tanstack/react-router';
import { type MouseEvent, useCallback } from 'react';

const route = getRouteApi('/epics/$id');

/** Chooses the story that the inspector shows. The address keeps it; undefined closes the inspector. */
export function useChoose(): (story: string | undefined) => void {
  const navigate = route.useNavigate();
  return useCallback(
    (story) =>
      void navigate({
        search: ({ story: _, ...rest }) => (story === undefined ? rest : { ...rest, story }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
}

/**
 * Follows clicks on everything inside that names a story (`data-story`). One listener for all of them: a thousand
 * links of the router would each listen on their own.
 */
export function useChooseClicks(): (event: MouseEvent) => void {
  const choose = useChoose();
  return useCallback(
    (event) => {
      const link = (event.target as Element).closest<HTMLElement>('[data-story]');
      const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!link || !isPlain || event.button !== 0) return;
      event.preventDefault();
      choose(link.dataset.story);
    },
    [choose],
  );
}

/** The address of this page with a story chosen, for a click that opens another tab. */
export const hrefOf = (story: string) => `?story=${encodeURIComponent(story)}`;
