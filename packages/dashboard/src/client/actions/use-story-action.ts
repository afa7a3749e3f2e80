import { useMutation, useQueryClient } from '@tanstack/react-query';
import { act, type StoryAction } from '../api/act.ts';
import { ApiError } from '../api/api-error.ts';
import { notify } from '../ui/notices.ts';

/**
 * An action on a story. Its success is told in the corner of the page, its failure beside the button, or in the
 * corner too with `isAway`: if the button may be gone by then. The stream also reports the change, but asking at
 * once shows the result sooner.
 */
export function useStoryAction(storyId: string, { isAway = false } = {}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: StoryAction) => act(storyId, action),
    onSuccess: ({ message }) => {
      notify(message);
      void client.invalidateQueries({ queryKey: ['home'] });
      void client.invalidateQueries({ queryKey: ['story', storyId] });
      void client.invalidateQueries({ queryKey: ['epic-run'] });
    },
    onError: (error) => {
      const { code, hint } = error instanceof ApiError ? error : { code: '', hint: '' };
      // Buttons go with the token, so nothing would be left beside them.
      if (isAway || code === 'token') notify(error.message, { isError: true, hint });
    },
  });
}
