/** The address of an engine as people may see it: without the password. */
export function hidePassword(url: string): string {
  // A password may stand before the host, or among the parameters.
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*):[^/?#]*@/i, '$1@')
    .replace(/([?&](?:password|sslpassword)=)[^&#]*/gi, '$1…');
}
