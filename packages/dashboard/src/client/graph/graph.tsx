import { type ComponentProps, lazy, Suspense } from 'react';

const DependencyGraph = lazy(() => import('./dependency-graph.tsx'));

/** Loaded only where a graph is shown, because it is the largest part of the client. */
export function Graph(props: ComponentProps<typeof DependencyGraph>) {
  return (
    <Suspense fallback={<div className="panel h-64" />}>
      <DependencyGraph {...props} />
    </Suspense>
  );
}
