import { useMutation, useQueryClient } from '@tanstack/react-query';
import { act, type StoryAction } from '../api/act.ts';
import { ApiError } from '../api/api-error.ts';
import { notify } from '../ui/notices.ts';

/**
 * An action on a story. A success is shown in the corner of the page, a failure beside the button. With `isAway` a
 * failure is shown in the corner too, because the button may be gone by then. The stream also reports the change, but
 * asking at once shows the result sooner.
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
      // Without a valid token the buttons disappear, so a message beside them would not be seen.
      if (isAway || code === 'token') notify(error.message, { isError: true, hint });
    },
  });
}
