import type { DraftAnswer } from '@saga-ai/types/screens/planning';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from '../keyboard/dialog.tsx';
import { count } from '../text/amounts.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Command } from '../ui/notice.tsx';
import { acceptDraft, draftQuery, dropDraft } from './draft-queries.ts';
import { useDraftAction } from './use-draft-action.ts';

/** Shows what accepting a draft would create, and asks. */
export function DraftDialog({ number, close }: { number: number; close: () => void }) {
  const { data, error, refetch } = useQuery(draftQuery(number));
  const accept = useDraftAction(() => acceptDraft(number, { seen: data?.seen ?? '' }));
  const drop = useDraftAction(() => dropDraft(number));
  const isBusy = accept.isPending || drop.isPending;
  return (
    <Dialog label={`Draft ${number}`} close={close}>
      <div className="grid gap-3 p-5">
        <h2 className="text-base font-semibold">Draft {number}</h2>
        {data ? (
          <Content draft={data} />
        ) : error ? (
          <Failure error={error} retry={refetch} />
        ) : (
          <p className="text-sm text-faint">Loading the draft …</p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button
            look="danger"
            disabled={isBusy}
            onClick={() => drop.mutate(undefined, { onSuccess: close })}
          >
            Drop
          </Button>
          {data?.creates ? (
            <Button
              look="strong"
              disabled={isBusy}
              onClick={() => accept.mutate(undefined, { onSuccess: close })}
            >
              Create {data.creates.story}
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}

/** Shows the text unformatted, because the text of a run must not look like a part of the page. */
function Content({ draft: { number, from, text, faults, creates } }: { draft: DraftAnswer }) {
  return (
    <>
      <p className="text-sm text-soft">
        A run of {from} wrote this. Read its verify command before you accept it: it will run on
        this machine.
      </p>
      <section aria-label="What would be created">
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-[45vh] overflow-auto whitespace-pre-wrap break-words rounded-md border border-line p-3 font-mono text-xs"
        >
          {text}
        </pre>
      </section>
      {creates ? (
        <p className="text-sm">
          Accepting it creates story <span className="font-mono">{creates.story}</span> with{' '}
          {count(creates.tasks, 'task')}.
        </p>
      ) : (
        <div className="grid gap-1 text-sm">
          {faults.map((fault) => (
            <p key={fault} className="text-needs-you">
              ✗ {fault}
            </p>
          ))}
          <p className="text-soft">
            It cannot be created as it is. Correct it in your editor:{' '}
            <Command>{`saga drafts accept ${number} --edit`}</Command>
          </p>
        </div>
      )}
    </>
  );
}
