import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Answers stay true until the stream of changes says otherwise. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      // What was refused is refused again; a server that is away may come back.
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && error.code === 'no-answer',
      retryDelay: 600,
    },
  },
});
