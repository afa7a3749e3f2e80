import type { EpicRunAnswer } from '@saga-ai/types/screens/epic-run/epic-run';
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

/** A scheduler that lives begins an answered story by itself; one that has ended is started again. */
export function useGoOn(epicId: string, { state }: EpicRunAnswer): () => void {
  const run = useEpicAction(epicId);
  const isAlive = state === 'running' || state === 'paused' || state === 'people';
  return () => {
    if (!isAlive) run.mutate({ verb: 'run', request: {} });
  };
}
