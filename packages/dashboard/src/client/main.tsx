import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followChanges } from './api/follow-changes.ts';
import { queryClient } from './api/query-client.ts';
import { whenUnlocked } from './api/token.ts';
import { preloadPages } from './preload-pages.ts';
import { router } from './router.tsx';
import { applyTheme } from './theme/theme.ts';

applyTheme();
whenUnlocked(() => followChanges(queryClient));
preloadPages();
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
