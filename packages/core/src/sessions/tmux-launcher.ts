import { formatConfigVariable } from '@saga-ai/types/config-variable';
import type { Cause } from '@saga-ai/types/run/cause';
import type { SessionEvent } from '@saga-ai/types/run/event';
import { EXIT_CODES, type OutcomeKind, SessionRecord } from '@saga-ai/types/run/session-record';
import { readJsonFile } from '../files/json-file.ts';
import type { ConfigTexts } from '../plan/config.ts';
import { type Paths, sessionRecordFile } from '../project/paths.ts';
import { stateOfSession } from '../records/session-records.ts';
import type { Handle, LaunchEnd, Launcher } from './launcher.ts';
import type { SessionRequest } from './start-session.ts';
import { startWorker } from './start-worker.ts';
import { stopSession } from './stop-session.ts';
import { openTmux } from './tmux.ts';
import { watchFile } from './watch-file.ts';

export interface TmuxLauncherOptions
  extends Omit<SessionRequest, 'storyId' | 'command' | 'timestamp'> {
  /** Program and first arguments of this very command; `worker <story>` is added. */
  program: readonly string[];
}

/** Workers in detached tmux sessions: they live on when this process ends. */
export function createTmuxLauncher(options: TmuxLauncherOptions): Launcher {
  const { program, ...place } = options;
  return {
    async start(storyId, { flags = {}, anyway = false } = {}) {
      const started = await startWorker({
        ...place,
        env: { ...place.env, ...toVariables(flags) },
        storyId,
        command: [...program, 'worker', storyId, ...(anyway ? ['--anyway'] : [])],
        timestamp: Date.now(),
        flags,
        anyway,
      });
      const { session, outputFile, first } = started;
      return {
        session,
        outputFile,
        ended: waitForEnd(place, session, first),
        stop: () => stopIfRunning(place.paths, session),
      } satisfies Handle;
    },
  };
}

/** The settings of this one start travel with the environment; there they win over the file. */
function toVariables(flags: ConfigTexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([key, value]) =>
      value === undefined ? [] : [[formatConfigVariable(key), value]],
    ),
  );
}

async function stopIfRunning(paths: Paths, session: string): Promise<void> {
  const record = loadRecord(paths, session);
  if (record) await stopSession(record);
}

/** From the session's record and its process: the file is watched, the process is asked for now and then. */
async function waitForEnd(
  { paths, env }: Omit<TmuxLauncherOptions, 'program'>,
  session: string,
  first: SessionEvent | undefined,
): Promise<LaunchEnd> {
  // One that ended before it had a worktree leaves no record, only its last word.
  if (first?.type === 'worker:end') return toEnd(first.kind, first.reason, first.cause);
  const tmux = openTmux(paths.root, env);
  using changes = watchFile(sessionRecordFile(paths, session));
  for (;;) {
    const isThere = loadRecord(paths, session) !== undefined || (await tmux.has(session));
    // Asked for again: it may have written its end after our look, and before it was gone.
    const record = loadRecord(paths, session);
    if (record?.endedAt !== undefined) return toEnd(record.outcome, record.reason, record.cause);
    if (record && stateOfSession(record) === 'died') {
      const last = loadRecord(paths, session);
      return toEnd(last?.outcome, last?.reason, last?.cause);
    }
    if (!isThere) return toEnd();
    await changes.next();
  }
}

const DIED = 'the worker died';

function toEnd(kind: OutcomeKind = 'error', reason = DIED, cause?: Cause): LaunchEnd {
  return { kind, cause, reason, exitCode: EXIT_CODES[kind] };
}

function loadRecord(paths: Paths, session: string): SessionRecord | undefined {
  const result = readJsonFile(paths.root, sessionRecordFile(paths, session), SessionRecord);
  return 'value' in result ? result.value : undefined;
}
