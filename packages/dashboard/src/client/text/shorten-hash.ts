/** Shortens the hash of a commit. The name of a branch stays. */
export const shortenHash = (ref: string) => (/^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 8) : ref);
