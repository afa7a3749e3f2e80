/**
 * Loads the code of all pages once the first one is shown. A server that is away could not deliver it later, and the
 * browser would then show its own error page instead of ours.
 */
export function preloadPages(): void {
  const load = () => {
    const pages = [
      import('./epic/epic-page.tsx'),
      import('./story/story-page.tsx'),
      import('./review/review-page.tsx'),
      import('./sessions/sessions-page.tsx'),
      import('./session/session-page.tsx'),
      import('./problems/problems-page.tsx'),
      import('./fleet/fleet-page.tsx'),
      import('./plan/new-plan-page.tsx'),
      import('./plan/edit-plan-page.tsx'),
      import('./graph/dependency-graph.tsx'),
      import('./plan/order/order-graph.tsx'),
      import('./keyboard/palette.tsx'),
      import('./keyboard/help.tsx'),
    ];
    // A page that could not be loaded now is asked for again when it is opened.
    for (const page of pages) page.catch(() => {});
  };
  window.setTimeout(() => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(load, { timeout: 5000 });
    else load();
  }, 2000);
}
