import { SagaError } from '@saga-ai/core/errors';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { findHome } from '@saga-ai/core/overview/scan-project';
import { scanStory } from '@saga-ai/core/plan/scan-story';
import { isId } from '@saga-ai/types/plan/ids';
import type {
  SessionAnswer,
  SessionSummary,
  TitledSession,
} from '@saga-ai/types/screens/dashboard';

export function buildSession(project: LiveProject, name: string): SessionAnswer {
  const session = requireSession(project, name);
  const { paths, overview, sessions } = project;
  const home = isId(session.story) ? findHome(paths, session.story) : undefined;
  const tasks = home ? scanStory(paths.root, home.home, session.story).tasks : [];
  const isNewest = sessions.list(session.story)[0] === name;
  const view = (isNewest ? overview.story(session.story) : undefined) ?? null;
  return { session: addTitle(project, session), tasks, view };
}

export function addTitle({ overview }: LiveProject, session: SessionSummary): TitledSession {
  const { story: id } = session;
  const item = session.isEpic ? overview.epic(id) : overview.story(id);
  return { ...session, title: item?.title ?? id };
}

export function requireSession({ sessions }: LiveProject, name: string): SessionSummary {
  const session = sessions.find(name);
  if (session) return session;
  throw new SagaError(
    'not-found',
    `No session ${JSON.stringify(name)}.`,
    'saga sessions --all lists them.',
  );
}
