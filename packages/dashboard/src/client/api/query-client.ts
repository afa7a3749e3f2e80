import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Answers stay valid until the stream of changes names them. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      // A refused request would be refused again. An unreachable server may come back, so that is retried.
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && error.code === 'no-answer',
      retryDelay: 600,
    },
  },
});
