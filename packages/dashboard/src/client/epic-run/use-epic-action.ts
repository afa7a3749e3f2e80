import { useMutation, useQueryClient } from '@tanstack/react-query';
import { actOnEpic, type EpicAction } from '../api/act.ts';
import { ApiError } from '../api/api-error.ts';
import { notify } from '../ui/notices.ts';

/** An action on an epic. Its success and its failure are told in the corner of the page. */
export function useEpicAction(epicId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: EpicAction) => actOnEpic(epicId, action),
    onSuccess: ({ message }) => notify(message),
    onError: (error) => {
      const { hint } = error instanceof ApiError ? error : { hint: '' };
      notify(error.message, { isError: true, hint });
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['epic-run', epicId] }),
  });
}
