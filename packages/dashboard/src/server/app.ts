import { EpicRuns } from '@saga-ai/core/epic/look/epic-runs';
import { EpicHistories } from '@saga-ai/core/overview/history/epic-histories';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { Environment } from '@saga-ai/core/processes/run';
import { formatLogAnswer, loadLogWindow } from '@saga-ai/core/records/log-window';
import type {
  ActionAnswer,
  EpicAnswer,
  EpicHistoryAnswer,
  EpicsAnswer,
  FindAnswer,
  HomeAnswer,
  ProblemsAnswer,
  RecoveryAnswer,
  SessionAnswer,
  SessionsAnswer,
  StoriesAnswer,
  StoryAnswer,
} from '@saga-ai/types/screens/dashboard';
import type { EpicRunReply } from '@saga-ai/types/screens/epic-run/epic-run';
import { Hono } from 'hono';
import type { ActionContext } from './actions/action-context.ts';
import { pauseEpic, runEpic, setJobs, stopEpic } from './actions/epic-actions.ts';
import {
  discardStory,
  resolveBlocker,
  startStory,
  stopStory,
  tellRun,
  updateStory,
} from './actions/story-actions.ts';
import { DiffSummaries } from './answers/diff-summary.ts';
import { buildEpic } from './answers/epic-answer.ts';
import { findItems } from './answers/find-items.ts';
import { buildProblems } from './answers/find-problems.ts';
import { buildHome } from './answers/home-answer.ts';
import { listStories } from './answers/list-stories.ts';
import { takePage } from './answers/page.ts';
import { buildRecovery } from './answers/recovery-answer.ts';
import { RunAnswers } from './answers/run-answers.ts';
import { addTitle, buildSession, requireSession } from './answers/session-answer.ts';
import { buildStory } from './answers/story-answer.ts';
import { createFleetRoutes, type FleetDesk } from './fleet/fleet-routes.ts';
import { checkRequests, type RequestCheck } from './http/check-requests.ts';
import { describeError, toErrorAnswer } from './http/error-answer.ts';
import type { EventStreams } from './http/event-stream.ts';
import { noStore, securityHeaders } from './http/headers.ts';
import { limitBody, readBody, readNumber } from './http/read-request.ts';
import { sendJson, sendJsonText } from './http/send-json.ts';
import { createStaticFiles } from './http/static-files.ts';
import { createDraftRoutes } from './planning/draft-routes.ts';
import { createPlanRoutes } from './planning/plan-routes.ts';
import type { Proposals } from './planning/proposals.ts';
import { addReviewRoutes } from './review/add-routes.ts';

export interface AppOptions {
  project: LiveProject;
  streams: EventStreams;
  requestCheck: RequestCheck;
  env: Environment;
  clientFolder: string;
  action: ActionContext;
  /** Registers a function that runs when the server ends. */
  onClose(end: () => void): void;
  proposals: Proposals;
  /** The fleet. Undefined if no engine is set. */
  fleet?: FleetDesk | undefined;
  report(error: unknown): void;
}

/** All routes of the dashboard. The types of the answers are in types/screens/dashboard. */
export function createApp(options: AppOptions): Hono {
  const { project, streams, requestCheck, env, clientFolder, fleet, action, proposals } = options;
  const diffs = new DiffSummaries(project.paths, env, (story) => project.tellStory(story));
  const histories = new EpicHistories(project, env);
  const runs = new RunAnswers(new EpicRuns(project));
  const app = new Hono();
  app.use(securityHeaders, noStore);
  app.use(checkRequests(requestCheck));
  app.onError((error, c) => {
    const { answer, status } = describeError(error);
    if (status === 500) options.report(error);
    return c.json(answer, status);
  });

  app.get('/api/home', (c) => c.json<HomeAnswer>(buildHome(project, fleet !== undefined)));
  app.get('/api/find', (c) =>
    c.json<FindAnswer>(findItems(project.overview, c.req.query('query'))),
  );
  app.get('/api/stories', (c) => {
    const { stories, keyOf } = listStories(project.overview.stories, c.req.query());
    return c.json<StoriesAnswer>(takePage(stories, keyOf, c.req.query()));
  });
  app.get('/api/stories/:id', async (c) =>
    sendJson<StoryAnswer>(c, await buildStory(project, diffs, c.req.param('id'))),
  );
  app.get('/api/stories/:id/recovery', async (c) =>
    c.json<RecoveryAnswer>(await buildRecovery(project.paths, env, c.req.param('id'))),
  );
  app.get('/api/epics', (c) => {
    const { epics } = project.overview;
    return c.json<EpicsAnswer>(takePage(epics, (it) => ['', it.id], c.req.query()));
  });
  app.get('/api/epics/:id', (c) => c.json<EpicAnswer>(buildEpic(project, c.req.param('id'))));
  app.get('/api/epics/:id/history', async (c) =>
    c.json<EpicHistoryAnswer>(await histories.find(c.req.param('id'))),
  );
  app.get('/api/epics/:id/run', async (c) =>
    sendJson<EpicRunReply>(
      c,
      await runs.find(c.req.param('id'), readNumber('since', c.req.query('since'))),
    ),
  );
  app.get('/api/sessions', (c) => {
    const names = project.sessions.list(c.req.query('story'));
    const page = takePage(names, (name) => [-project.sessions.timeOf(name), name], c.req.query());
    const items = page.items
      .flatMap((name) => project.sessions.find(name) ?? [])
      .map((session) => addTitle(project, session));
    return sendJson<SessionsAnswer>(c, { ...page, items });
  });
  app.get('/api/sessions/:session', (c) =>
    sendJson<SessionAnswer>(c, buildSession(project, c.req.param('session'))),
  );
  app.get('/api/sessions/:session/log', async (c) => {
    const { outputFile } = requireSession(project, c.req.param('session'));
    const from = readNumber('from', c.req.query('from'));
    const bytes = readNumber('bytes', c.req.query('bytes'));
    return sendJsonText(c, formatLogAnswer(await loadLogWindow(outputFile, { from, bytes })));
  });
  app.get('/api/problems', (c) => c.json<ProblemsAnswer>(buildProblems(project)));
  app.get('/api/events', (c) => {
    const after = c.req.header('last-event-id') ?? c.req.query('after');
    return streams.open(c, readNumber('after', after));
  });

  app.post('/api/stories/:id/run', async (c) =>
    c.json<ActionAnswer>(await startStory(action, c.req.param('id'))),
  );
  app.post('/api/stories/:id/stop', async (c) =>
    c.json<ActionAnswer>(await stopStory(action, c.req.param('id'))),
  );
  app.post('/api/stories/:id/update', async (c) =>
    c.json<ActionAnswer>(await updateStory(action, c.req.param('id'))),
  );
  app.post('/api/stories/:id/discard', async (c) =>
    c.json<ActionAnswer>(await discardStory(action, c.req.param('id'))),
  );
  app.post('/api/stories/:id/tell', limitBody, async (c) =>
    c.json<ActionAnswer>(await tellRun(action, c.req.param('id'), await readBody(c.req))),
  );
  app.post('/api/stories/:id/resolve', limitBody, async (c) =>
    c.json<ActionAnswer>(await resolveBlocker(action, c.req.param('id'), await readBody(c.req))),
  );

  app.post('/api/epics/:id/run', limitBody, async (c) =>
    c.json<ActionAnswer>(await runEpic(action, c.req.param('id'), await readBody(c.req))),
  );
  app.post('/api/epics/:id/pause', async (c) =>
    c.json<ActionAnswer>(await pauseEpic(action, c.req.param('id'), true)),
  );
  app.post('/api/epics/:id/continue', async (c) =>
    c.json<ActionAnswer>(await pauseEpic(action, c.req.param('id'), false)),
  );
  app.post('/api/epics/:id/jobs', limitBody, async (c) =>
    c.json<ActionAnswer>(await setJobs(action, c.req.param('id'), await readBody(c.req))),
  );
  app.post('/api/epics/:id/stop', async (c) =>
    c.json<ActionAnswer>(await stopEpic(action, c.req.param('id'))),
  );

  const review = addReviewRoutes(app, project, action);
  options.onClose(() => review.close());
  app.route('/api/fleet', createFleetRoutes(fleet));
  app.route('/api/drafts', createDraftRoutes(project, action));
  app.route('/api/plan', createPlanRoutes(project, action, proposals));

  // A page asks whether its token is good before it offers actions.
  app.post('/api/token', (c) => c.json({ ok: true }));

  app.all('/api/*', (c) => c.json(noSuchAddress(c.req.path), 404));
  app.route('/', createStaticFiles(clientFolder));
  return app;
}

function noSuchAddress(path: string) {
  return toErrorAnswer(
    'not-found',
    `There is no ${path}.`,
    'types/screens/dashboard lists all addresses.',
  );
}
