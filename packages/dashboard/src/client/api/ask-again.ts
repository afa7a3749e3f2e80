import type { QueryClient } from '@tanstack/react-query';

/**
 * Asks anew for all answers below a key, or for all there are. A first answer that is on its way is
 * left alone by the library, though it may be older than what changed: it is asked for once more
 * when it is there.
 */
export function askAgain(client: QueryClient, queryKey: readonly string[] = []): void {
  const coming = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  for (const query of coming.filter(({ state }) => state.data === undefined)) {
    query.promise?.then(
      () => client.invalidateQueries({ queryKey: query.queryKey, exact: true }),
      // What failed is shown as such, and asked for anew by whoever looks at it.
      () => {},
    );
  }
  void client.invalidateQueries({ queryKey });
}
