import type { ReactNode } from 'react';
import { checkAddress } from '../text/links.ts';

/** A link out of the page, or plain text when the address is none that may be followed. */
export function WebLink({ to, children }: { to: string; children: ReactNode }) {
  const address = checkAddress(to);
  if (address === undefined) return <>{children}</>;
  return (
    <a className="link" href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
