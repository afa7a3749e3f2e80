import { type FormEvent, useState } from 'react';
import { offerToken } from '../api/token.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/notice.tsx';

/** Shown instead of every page while this browser has no valid token. Takes one. */
export function Locked() {
  const [text, setText] = useState('');
  const [isRefused, setRefused] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await offerToken(text))) setRefused(true);
  };
  return (
    <main id="main" tabIndex={-1} className="mx-auto max-w-lg px-4 py-16 outline-none">
      <form
        onSubmit={(event) => void submit(event)}
        className="panel grid gap-3 p-5 text-sm"
        aria-label="Unlock"
      >
        <h1 className="text-base font-semibold">This page is locked</h1>
        <p className="text-soft">
          To look and to act, a page needs the token. Open the address that{' '}
          <Command>saga dashboard</Command> printed, or paste that address here. All tabs of this
          browser then have it.
        </p>
        <input
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
            Unlock
          </Button>
          <span role="status" className="text-needs-you">
            {isRefused ? '✗ The server refuses this token. Take the newest address.' : ''}
          </span>
        </div>
      </form>
    </main>
  );
}
