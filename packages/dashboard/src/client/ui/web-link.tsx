import type { ReactNode } from 'react';
import { checkAddress } from '../text/links.ts';

/** A link to the web, or plain text if the address is not a web address. */
export function WebLink({ to, children }: { to: string; children: ReactNode }) {
  const address = checkAddress(to);
  if (address === undefined) return <>{children}</>;
  return (
    <a className="link" href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
