import type { QueryClient } from '@tanstack/react-query';

/**
 * Requests all answers below a key again, or all answers. The library does not repeat a first request that
 * is still running, although its answer may be older than the change. So it is repeated when it has arrived.
 */
export function askAgain(client: QueryClient, queryKey: readonly string[] = []): void {
  const coming = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  for (const query of coming.filter(({ state }) => state.data === undefined)) {
    query.promise?.then(
      () => client.invalidateQueries({ queryKey: query.queryKey, exact: true }),
      // The page shows the failure, and the reader can try again.
      () => {},
    );
  }
  void client.invalidateQueries({ queryKey });
}
