import { useMutation, useQueryClient } from '@tanstack/react-query';
import { act, type StoryAction } from '../api/act.ts';

/** A change also comes by the stream; asking at once makes the button's answer feel immediate. */
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
