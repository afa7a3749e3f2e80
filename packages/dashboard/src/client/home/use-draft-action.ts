import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { notify } from '../ui/notices.ts';

/** A decision about a draft. How it went is told in the corner of the page: the draft leaves the list. */
export function useDraftAction(decide: () => Promise<ActionAnswer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: ({ message }) => notify(message),
    onError: (error) => {
      const hint = error instanceof ApiError ? error.hint : '';
      notify(error.message, { isError: true, hint });
    },
    // Also after a refusal: somebody else may have decided.
    onSettled: () => {
      for (const key of ['home', 'stories']) void client.invalidateQueries({ queryKey: [key] });
    },
  });
}
