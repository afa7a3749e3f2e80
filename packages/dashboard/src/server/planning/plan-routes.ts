import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type {
  CheckAnswer,
  CreateAnswer,
  NewPlanAnswer,
  PlanDocumentAnswer,
  ProposalAnswer,
  SaveAnswer,
} from '@saga-ai/types/screens/planning';
import { Hono } from 'hono';
import type { ActionContext } from '../actions/action-context.ts';
import { limitPlan, readBody } from '../http/read-request.ts';
import { sendJson } from '../http/send-json.ts';
import { checkContent } from './check-content.ts';
import { buildNewPlan, createPlan } from './create-plan.ts';
import { loadDocument, saveDocument } from './plan-document.ts';
import type { Proposals } from './proposals.ts';

/** The routes of the pages that write plans, below /api/plan. Their types are in types/screens/planning. */
export function createPlanRoutes(
  project: LiveProject,
  action: ActionContext,
  proposals: Proposals,
): Hono {
  const { paths } = project;
  const app = new Hono();
  app.get('/new', (c) => sendJson<NewPlanAnswer>(c, buildNewPlan(paths)));
  app.post('/check', limitPlan, async (c) =>
    sendJson<CheckAnswer>(c, await checkContent(action, await readBody(c.req))),
  );
  app.post('/create', limitPlan, async (c) => {
    const created = await createPlan(action, await readBody(c.req));
    await project.lookAt(created.stories);
    return sendJson<CreateAnswer>(c, created);
  });
  app.get('/items/:id', async (c) =>
    sendJson<PlanDocumentAnswer>(c, await loadDocument(paths, c.req.param('id'))),
  );
  app.post('/items/:id', limitPlan, async (c) =>
    sendJson<SaveAnswer>(c, await saveDocument(action, c.req.param('id'), await readBody(c.req))),
  );
  app.get('/proposal', (c) => sendJson<ProposalAnswer>(c, proposals.find()));
  app.post('/proposal', limitPlan, async (c) =>
    sendJson<ProposalAnswer>(c, proposals.start(await readBody(c.req))),
  );
  app.post('/proposal/stop', async (c) => sendJson<ProposalAnswer>(c, await proposals.stop()));
  return app;
}
