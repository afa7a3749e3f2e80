/**
 * Returns the number of a pull request from its address, such as 12 of `https://github.com/acme/shop/pull/12`. For an
 * address of another form, returns the number at its end.
 */
export function parsePullRequestNumber(address: string): number | undefined {
  const found = /\/pull\/(\d+)\b/.exec(address) ?? /\/(\d+)\/?$/.exec(address);
  return found ? Number(found[1]) : undefined;
}

/** Formats the address of a pull request as `#12`. An address without a number stays as it is. */
export function formatPullRequest(address: string): string {
  const number = parsePullRequestNumber(address);
  return number === undefined ? address : `#${number}`;
}
