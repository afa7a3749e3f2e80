/** Models write the files that contain addresses, so only web addresses become links. */
export function checkAddress(address: string | null | undefined): string | undefined {
  if (!address) return undefined;
  try {
    const { protocol, href } = new URL(address);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    // The text is not an address. The caller shows it as text.
    return undefined;
  }
}
