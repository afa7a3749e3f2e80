import { findTmuxSocket } from '@saga-ai/core/sessions/tmux';
import type { WorkerRequest } from '@saga-ai/core/worker/run-worker';
import { environment } from './environment.ts';

type OfProcess = 'env' | 'agentHome' | 'stop' | 'isRoot' | 'tmux' | 'tmuxSocket';

/** Returns what a worker in this process takes from the process. */
export function describeWorkerProcess(env: WorkerRequest['env']): Pick<WorkerRequest, OfProcess> {
  return {
    env,
    agentHome: { config: environment.claudeConfig(env) },
    stop: environment.stopSignal(),
    isRoot: environment.userId() === 0,
    tmux: env.TMUX !== undefined,
    tmuxSocket: findTmuxSocket(env),
  };
}
