import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import {
  epicHistoryQuery,
  epicQuery,
  epicRunQuery,
  homeQuery,
  problemsQuery,
  sessionQuery,
  storyQuery,
} from './api/queries.ts';
import { queryClient } from './api/query-client.ts';
import { readEpicSearch } from './epic-run/epic-search.ts';
import { HomePage } from './home/home-page.tsx';
import { readHomeSearch } from './home/home-search.ts';
import { documentQuery, newPlanQuery } from './plan/plan-api.ts';
import { readPlanSearch } from './plan/plan-views.ts';
import { readReviewSearch } from './review/read-search.ts';
import { reviewQuery } from './review/review-queries.ts';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';
import { Failure } from './ui/failure.tsx';
import { Loading } from './ui/loading.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** Requests the answer while the code of the page is loading. The page shows errors. */
const warm = (ask: Promise<unknown>) => void ask.catch(() => {});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readHomeSearch,
  loader: () => warm(queryClient.ensureQueryData(homeQuery)),
  component: HomePage,
});

const epic = createRoute({
  getParentRoute: () => root,
  path: '/epics/$id',
  validateSearch: readEpicSearch,
  loader: ({ params }) => {
    warm(queryClient.ensureQueryData(epicQuery(params.id)));
    warm(queryClient.ensureQueryData(epicRunQuery(params.id)));
    warm(queryClient.ensureQueryData(epicHistoryQuery(params.id)));
  },
  component: lazyRouteComponent(() => import('./epic/epic-page.tsx'), 'EpicPage'),
});

const story = createRoute({
  getParentRoute: () => root,
  path: '/stories/$id',
  validateSearch: ({ tasks }: Record<string, unknown>): { tasks?: 'graph' } =>
    tasks === 'graph' ? { tasks } : {},
  loader: ({ params }) => warm(queryClient.ensureQueryData(storyQuery(params.id))),
  component: lazyRouteComponent(() => import('./story/story-page.tsx'), 'StoryPage'),
});

const loadReview = lazyRouteComponent(() => import('./review/review-page.tsx'), 'ReviewPage');

const storyReview = createRoute({
  getParentRoute: () => root,
  path: '/stories/$id/review',
  validateSearch: readReviewSearch,
  loader: ({ params }) => warm(queryClient.ensureQueryData(reviewQuery(params.id))),
  component: loadReview,
});

const epicReview = createRoute({
  getParentRoute: () => root,
  path: '/epics/$id/review',
  validateSearch: readReviewSearch,
  loader: ({ params }) => warm(queryClient.ensureQueryData(reviewQuery(params.id))),
  component: loadReview,
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./sessions/sessions-page.tsx'), 'SessionsPage'),
});

const session = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$id',
  validateSearch: ({ at }: Record<string, unknown>): { at?: number } =>
    typeof at === 'number' && Number.isSafeInteger(at) && at >= 0 ? { at } : {},
  loader: ({ params }) => warm(queryClient.ensureQueryData(sessionQuery(params.id))),
  component: lazyRouteComponent(() => import('./session/session-page.tsx'), 'SessionPage'),
});

const problems = createRoute({
  getParentRoute: () => root,
  path: '/problems',
  loader: () => warm(queryClient.ensureQueryData(problemsQuery)),
  component: lazyRouteComponent(() => import('./problems/problems-page.tsx'), 'ProblemsPage'),
});

const fleet = createRoute({
  getParentRoute: () => root,
  path: '/fleet',
  component: lazyRouteComponent(() => import('./fleet/fleet-page.tsx'), 'FleetPage'),
});

const newPlan = createRoute({
  getParentRoute: () => root,
  path: '/plan/new',
  validateSearch: readPlanSearch,
  loader: () => warm(queryClient.ensureQueryData(newPlanQuery)),
  component: lazyRouteComponent(() => import('./plan/new-plan-page.tsx'), 'NewPlanPage'),
});

const editPlan = createRoute({
  getParentRoute: () => root,
  path: '/plan/$id',
  validateSearch: readPlanSearch,
  loader: ({ params }) => warm(queryClient.ensureQueryData(documentQuery(params.id))),
  component: lazyRouteComponent(() => import('./plan/edit-plan-page.tsx'), 'EditPlanPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    epic,
    epicReview,
    story,
    storyReview,
    sessions,
    session,
    problems,
    newPlan,
    editPlan,
    fleet,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Failure error={toError(error)} retry={reset} />,
});

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
