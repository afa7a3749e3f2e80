import { join } from 'node:path';
import type { RunEvent } from '@saga-ai/types/run/event';
import { formatSession } from '@saga-ai/types/words/names';
import type { AgentHome } from '../agents/agent.ts';
import { ensureSessionFolder } from '../files/session-folder.ts';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { requireStartable } from '../worker/prepare/require-startable.ts';
import { runWorker, type WorkerRequest } from '../worker/run-worker.ts';
import { loadWorkerConfig } from '../worker/worker-config.ts';
import type { Handle, Launcher } from './launcher.ts';
import { isUnderWay } from './wait-for-word.ts';

export interface InProcessOptions {
  paths: Paths;
  env: Environment;
  agentHome: AgentHome;
  userId: number | undefined;
  /** Gets each worker's events. */
  listen?: (event: RunEvent, storyId: string) => void;
  /** Called with the session of each worker before it begins. */
  onOpen?: (session: string, outputFile: string) => void;
  /** In a fleet, says whether this machine may still push. */
  fence?: NonNullable<WorkerRequest['fence']>;
  /**
   * In a fleet, when the lease was taken: by this machine's clock, and by the engine's, which gives the session its
   * name.
   */
  taken?: { here: number; engine: number };
  /** Stops all workers of this launcher; its reason says why. */
  stop?: AbortSignal;
}

/** Runs workers in this process; they end with it. */
export function createInProcessLauncher(options: InProcessOptions): Launcher {
  const { paths, env, agentHome, userId, fence, listen = () => {} } = options;
  return {
    async start(storyId, { flags = {}, anyway = false } = {}) {
      await requireStartable(paths, storyId, env, anyway);
      const config = loadWorkerConfig(paths, storyId, { environment: env, flags });
      const now = Date.now();
      const timestamp = options.taken?.here ?? now;
      const session = formatSession({ storyId, timestamp: options.taken?.engine ?? now });
      const outputFile = join(ensureSessionFolder(env, userId), `${session}.jsonl`);
      options.onOpen?.(session, outputFile);
      const stop = new AbortController();
      const { promise: underWay, resolve: tell } = Promise.withResolvers<void>();
      const running = runWorker({
        paths,
        storyId,
        config,
        env,
        agentHome,
        session,
        timestamp,
        deadline: now + config.worker.maxTime * 60_000,
        stop: options.stop ? AbortSignal.any([stop.signal, options.stop]) : stop.signal,
        anyway,
        isChecked: true,
        fence,
        isRoot: userId === 0,
        outputFile,
        tmux: false,
        listen(event) {
          if (isUnderWay(event)) tell();
          listen(event, storyId);
        },
      });
      const early = await Promise.race([underWay, running]);
      if (early?.error !== undefined) throw early.error;
      const ended = running.then(({ kind, cause, reason, exitCode }) => ({
        kind,
        cause,
        reason,
        exitCode,
      }));
      return {
        session,
        outputFile,
        ended,
        async stop(reason) {
          stop.abort(reason);
          await ended;
        },
      } satisfies Handle;
    },
  };
}
