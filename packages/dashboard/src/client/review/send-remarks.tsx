import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { count } from '../text/amounts.ts';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/notices.ts';
import type { Draft, Drafts } from './drafts.ts';
import { sendRemarks } from './review-queries.ts';

interface SendRemarksProps {
  id: string;
  drafts: Drafts;
  /** A run is at work and can be told at once. */
  isRunning: boolean;
}

/** Sends all remarks together. They leave the browser only when the server has them. */
export function SendRemarks({ id, drafts, isRunning }: SendRemarksProps) {
  const client = useQueryClient();
  const ready = drafts.all.filter(({ text }) => text.trim() !== '');
  const send = useMutation({
    mutationFn: ({ runs, sent }: { runs: boolean; sent: readonly Draft[] }) => {
      const remarks = sent.map(({ key: _, path: __, content: ___, ...remark }) => remark);
      return sendRemarks(id, { remarks, runs });
    },
    onSuccess: ({ message }, { sent }) => {
      notify(message);
      drafts.remove(sent.map(({ key }) => key));
    },
    onError: (error) => {
      const { hint } = error instanceof ApiError ? error : { hint: '' };
      notify(error.message, { isError: true, hint });
    },
    onSettled: () => {
      for (const key of [['review', id], ['home'], ['story', id]]) {
        void client.invalidateQueries({ queryKey: key });
      }
    },
  });
  if (ready.length === 0) return null;
  const what = count(ready.length, 'remark');
  const act = (runs: boolean) => send.mutate({ runs, sent: ready });
  return (
    <>
      <Button disabled={send.isPending} onClick={() => act(false)}>
        File {what}, run later
      </Button>
      <Button look="strong" disabled={send.isPending} onClick={() => act(true)}>
        {isRunning ? `Tell the run ${what}` : `Run again with ${what}`}
      </Button>
    </>
  );
}
