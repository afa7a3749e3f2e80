import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import type { FleetAnswer, MachineWish } from '@saga-ai/types/screens/fleet-view';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { fetchJson } from '../api/fetch-json.ts';
import { notify } from '../ui/notices.ts';

/** How often the page asks again, because machines change no file here. */
const ASK_AGAIN_MS = 3000;

export const fleetQuery = queryOptions({
  queryKey: ['fleet'],
  queryFn: ({ signal }) => fetchJson<FleetAnswer>('/api/fleet', { signal }),
  refetchInterval: ASK_AGAIN_MS,
});

/** Sends a wish to a machine. Success and failure are shown in the corner of the page. */
export function useWish(machine: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wish: MachineWish) =>
      fetchJson<ActionAnswer>(`/api/fleet/machines/${encodeURIComponent(machine)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ wish }),
      }),
    onSuccess: ({ message }) => notify(message),
    onError: (error) => {
      const { hint } = error instanceof ApiError ? error : { hint: '' };
      notify(error.message, { isError: true, hint });
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['fleet'] }),
  });
}
