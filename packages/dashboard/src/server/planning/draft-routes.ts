import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import type { DraftAnswer } from '@saga-ai/types/screens/planning';
import { Hono } from 'hono';
import type { ActionContext } from '../actions/action-context.ts';
import { limitBody, readBody } from '../http/read-request.ts';
import { acceptSeen, dropSeen, loadDraft } from './proposed-drafts.ts';

/** The routes of the drafts that runs propose, below /api/drafts. */
export function createDraftRoutes(project: LiveProject, action: ActionContext): Hono {
  const app = new Hono();
  app.get('/:number', async (c) =>
    c.json<DraftAnswer>(await loadDraft(project.paths, c.req.param('number'))),
  );
  app.post('/:number/accept', limitBody, async (c) =>
    c.json<ActionAnswer>(
      await acceptSeen(action, project, c.req.param('number'), await readBody(c.req)),
    ),
  );
  app.post('/:number/drop', async (c) =>
    c.json<ActionAnswer>(await dropSeen(action, c.req.param('number'))),
  );
  return app;
}
