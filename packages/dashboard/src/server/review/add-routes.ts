import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import type {
  FileDiffAnswer,
  LandingAnswer,
  ReviewAnswer,
  ToReviewAnswer,
} from '@saga-ai/types/screens/review/review';
import type { Hono } from 'hono';
import type { ActionContext } from '../actions/action-context.ts';
import { limitBody, readBody, readNumber } from '../http/read-request.ts';
import { sendJson } from '../http/send-json.ts';
import { Landings } from './landings.ts';
import { ReviewQueue } from './review-queue.ts';
import { Reviews } from './reviews.ts';
import { sendRemarks } from './send-remarks.ts';

/** Adds the routes of review and landing. Returns a function that ends them with the server. */
export function addReviewRoutes(
  app: Hono,
  project: LiveProject,
  action: ActionContext,
): { close(): void } {
  const queue = new ReviewQueue(project, action.env);
  const reviews = new Reviews(project, action.env);
  const landings = new Landings(action, (kind, id) =>
    kind === 'story' ? project.tellStory(id) : project.tellEpic(id),
  );

  app.get('/api/review', async (c) => sendJson<ToReviewAnswer>(c, await queue.find()));
  app.get('/api/review/:id', async (c) =>
    sendJson<ReviewAnswer>(c, await reviews.find(c.req.param('id'))),
  );
  app.get('/api/review/:id/files/:number', async (c) => {
    const { from = '', to = '', all } = c.req.query();
    const place = readNumber('number', c.req.param('number')) ?? -1;
    const diff = await reviews.findFile({ from, to }, place, all === '1');
    // Commits do not change, so the browser may keep the difference of two of them.
    return sendJson<FileDiffAnswer>(c, diff, { 'cache-control': 'private, max-age=3600' });
  });
  app.post('/api/review/:id/remarks', limitBody, async (c) =>
    c.json<ActionAnswer>(
      await sendRemarks(project, action, c.req.param('id'), await readBody(c.req)),
    ),
  );
  app.get('/api/review/:id/landing', (c) =>
    c.json<LandingAnswer>({ landing: landings.find(c.req.param('id')) }),
  );
  app.post('/api/review/:id/look', async (c) =>
    c.json<LandingAnswer>({ landing: await landings.look(c.req.param('id')) }),
  );
  app.post('/api/review/:id/land', limitBody, async (c) =>
    c.json<LandingAnswer>({
      landing: landings.agree(c.req.param('id'), await readBody(c.req)),
    }),
  );
  app.post('/api/review/:id/stop', (c) => {
    landings.stop(c.req.param('id'));
    return c.json<ActionAnswer>({ ok: true, message: 'Stopped.' });
  });
  return landings;
}
