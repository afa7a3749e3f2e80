/** Addresses come from files that models write: only the web is ever linked to. */
export function checkAddress(address: string | null | undefined): string | undefined {
  if (!address) return undefined;
  try {
    const { protocol, href } = new URL(address);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    // No address at all; the caller shows it as text.
    return undefined;
  }
}

/** ".../pull/42" is "#42". */
export function formatPullRequest(address: string): string {
  const number = /\/pull\/(\d+)/.exec(address)?.[1];
  return number === undefined ? address : `#${number}`;
}
