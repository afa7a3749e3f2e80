import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { notify } from '../ui/notices.ts';

/**
 * A decision about a draft. The result is shown in the corner of the page, because the draft disappears from the list.
 */
export function useDraftAction(decide: () => Promise<ActionAnswer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: ({ message }) => notify(message),
    onError: (error) => {
      const hint = error instanceof ApiError ? error.hint : '';
      notify(error.message, { isError: true, hint });
    },
    // The lists are requested again after a refusal too, because somebody else may have decided.
    onSettled: () => {
      for (const key of ['home', 'stories']) void client.invalidateQueries({ queryKey: [key] });
    },
  });
}
