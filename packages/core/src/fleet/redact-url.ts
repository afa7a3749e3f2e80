/** Returns an address without its password, for people. What cannot be read as an address is shown by its scheme only. */
export function redactUrl(address: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(address))
    return address.replace(/^([^/@:]+):[^/@]*@/, '$1@');
  try {
    const url = new URL(address);
    url.password = '';
    // A token may stand where the name of a user stands.
    if (url.protocol === 'https:' || url.protocol === 'http:') url.username = '';
    for (const name of [...url.searchParams.keys()]) {
      if (/password|secret|token|key/i.test(name)) url.searchParams.delete(name);
    }
    return url.toString();
  } catch {
    return `${address.slice(0, address.indexOf('://'))}://…`;
  }
}
