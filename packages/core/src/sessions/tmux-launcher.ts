import { formatConfigVariable } from '@saga-ai/types/config-variable';
import type { Cause } from '@saga-ai/types/run/cause';
import { EXIT_CODES, type OutcomeKind, SessionRecord } from '@saga-ai/types/run/session-record';
import { readJsonFile } from '../files/json-file.ts';
import type { ConfigTexts } from '../plan/config.ts';
import { type Paths, sessionRecordFile } from '../project/paths.ts';
import { stateOfSession } from '../records/session-records.ts';
import type { Handle, LaunchEnd, Launcher } from './launcher.ts';
import type { SessionRequest, StartedSession } from './start-session.ts';
import { startWorker } from './start-worker.ts';
import { stopSession } from './stop-session.ts';
import { watchFile } from './watch-file.ts';

export interface TmuxLauncherOptions
  extends Omit<SessionRequest, 'storyId' | 'command' | 'timestamp'> {
  /** The program and first arguments of this command; `worker <story>` is appended. */
  program: readonly string[];
}

/** Runs workers in detached tmux sessions; they live on when this process ends. */
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
      const { session, outputFile } = started;
      const ended = waitForEnd(place.paths, started);
      // A caller that awaits the end gets the failure. If no caller does, the failure must not end the process.
      ended.catch(() => {});
      return {
        session,
        outputFile,
        ended,
        stop: () => stopIfRunning(place.paths, session),
      } satisfies Handle;
    },
  };
}

/** Passes the flags of this start as environment variables, which take precedence over the file. */
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

/** Waits for the end of a session. The record is watched; the process is checked every second. */
async function waitForEnd(
  paths: Paths,
  { session, tmux, end }: StartedSession,
): Promise<LaunchEnd> {
  // A worker that ended before it had a worktree leaves no record, only its final event.
  if (end) return toEnd(end.kind, end.reason, end.cause);
  using changes = watchFile(sessionRecordFile(paths, session));
  for (;;) {
    const isThere = loadRecord(paths, session) !== undefined || (await tmux.has(session));
    // Read the record again: the worker may have written its end after the last look and before it exited.
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
