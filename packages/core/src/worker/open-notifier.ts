import type { News } from '@saga-ai/types/run/news';
import { isGitHubToken } from '../forge/github-variables.ts';
import { withoutStrayGit } from '../git/git.ts';
import { Notifier, type NotifierOptions } from '../notify/notifier.ts';
import type { Environment } from '../processes/run.ts';
import type { Worker, WorkerOrder } from './context.ts';

/** Opens the notifier of one session, with the settings of its worker. */
export function openNotifier(
  worker: WorkerOrder & Pick<Worker, 'agent'>,
  rest: Pick<NotifierOptions, 'secrets' | 'emit' | 'lifeline'> & { kind: News['kind'] },
): Notifier {
  const { paths, config, storyId: item, session } = worker;
  const env = withoutCredentials(worker);
  return new Notifier({ paths, settings: config.notify, item, session, env, ...rest });
}

/** Removes the credentials of the model and of GitHub, which a program that tells news does not need. */
export function withoutCredentials({ env, agent }: Pick<Worker, 'env' | 'agent'>): Environment {
  const around = agent.withoutOuterSession(withoutStrayGit(env));
  const isKept = (name: string) => !agent.isOwnVariable(name) && !isGitHubToken(name);
  return Object.fromEntries(Object.entries(around).filter(([name]) => isKept(name)));
}
