import { useMutation, useQueryClient } from '@tanstack/react-query';
import { act, type StoryAction } from '../api/act.ts';

/** The stream also reports the change, but asking at once shows the result sooner. */
export function useStoryAction(storyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: StoryAction) => act(storyId, action),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['home'] });
      void client.invalidateQueries({ queryKey: ['story', storyId] });
    },
  });
}
