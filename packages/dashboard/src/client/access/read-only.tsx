import { type FormEvent, useCallback, useState } from 'react';
import { offerToken, useToken } from '../api/token.ts';
import { Dialog } from '../keyboard/dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/notice.tsx';

/** Shown while the page has no valid token. Leads to the place to enter one. */
export function ReadOnly() {
  const token = useToken();
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  if (token !== null) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        title="This page may look, but not run, stop or answer"
        className="h-7 whitespace-nowrap rounded-md bg-waiting-wash px-2 text-xs font-medium text-waiting hover:underline"
      >
        read only
      </button>
      {isOpen ? <TokenDialog close={close} /> : null}
    </>
  );
}

function TokenDialog({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const [isRefused, setRefused] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await offerToken(text)) close();
    else setRefused(true);
  };
  return (
    <Dialog label="Allow this page to act" close={close}>
      <form onSubmit={(event) => void submit(event)} className="grid gap-3 p-5 text-sm">
        <h2 className="text-base font-semibold">Allow this page to act</h2>
        <p className="text-soft">
          To run, stop or answer, a page needs the token. Open the address that{' '}
          <Command>saga dashboard</Command> printed, or paste that address here. All tabs of this
          browser then have it.
        </p>
        <input
          autoFocus
          aria-label="Address or token"
          aria-invalid={isRefused}
          autoComplete="off"
          spellCheck={false}
          placeholder="http://127.0.0.1:4780/?token=…"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setRefused(false);
          }}
          className="control h-8 w-full px-2.5 font-mono text-xs"
        />
        <div className="flex items-center gap-3">
          <Button type="submit" look="strong" disabled={text.trim() === ''}>
            Allow
          </Button>
          <Button onClick={close}>Cancel</Button>
          <span role="status" className="text-needs-you">
            {isRefused ? '✗ The server refuses this token. Take the newest address.' : ''}
          </span>
        </div>
      </form>
    </Dialog>
  );
}
