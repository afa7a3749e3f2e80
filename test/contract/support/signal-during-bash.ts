import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { ClientRun } from '../../rig/client/client-run.ts';
import type { Stage } from '../../rig/client/stage.ts';

export interface Signalled extends Disposable {
  run: ClientRun;
  client: number;
  /** The process that the Bash tool was running when the signal came. */
  sleeper: number;
  /** What the SessionEnd hook was told; nothing as long as it has not run. It may outlive the client. */
  sessionEnd(): Record<string, unknown> | undefined;
}

/** Signals the client alone, not its group, while the Bash tool sleeps. The sleeper never outlives the test. */
export async function signalDuringBash(stage: Stage, signal: NodeJS.Signals): Promise<Signalled> {
  const pidFile = join(stage.repo, 'sleeper.pid');
  const endFile = join(stage.repo, 'session-end.json');
  for (const file of [pidFile, endFile]) rmSync(file, { force: true });
  // Whole or not at all: the client may be gone before its hook is.
  const record = {
    type: 'command',
    command: `cat > ${endFile}.part && mv ${endFile}.part ${endFile}`,
  };
  const command = `echo $$ > ${pidFile}; exec sleep 400`;
  const { child, ended } = await stage.start({
    turns: [{ calls: [{ tool: 'Bash', input: { command } }] }, { text: 'Done.' }],
    settings: { hooks: { SessionEnd: [{ hooks: [record] }] } },
  });
  const sleeper = await vi.waitFor(() => readPid(pidFile), { timeout: 300_000, interval: 20 });
  child.kill(signal);
  const run = await ended;
  return {
    run,
    client: child.pid ?? 0,
    sleeper,
    sessionEnd: () => (existsSync(endFile) ? JSON.parse(readFileSync(endFile, 'utf8')) : undefined),
    [Symbol.dispose]() {
      if (isAlive(sleeper)) process.kill(sleeper, 'SIGKILL');
    },
  };
}

/** A zombie that nobody has reaped yet is as good as gone. */
export function isAlive(pid: number): boolean {
  const state = ps('stat', pid);
  return state !== '' && !state.startsWith('Z');
}

export function groupOf(pid: number): number {
  return Number(ps('pgid', pid));
}

function ps(column: string, pid: number): string {
  return spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], {
    encoding: 'utf8',
  }).stdout.trim();
}

function readPid(file: string): number {
  const pid = Number(readFileSync(file, 'utf8'));
  if (!pid) throw new Error(`${file} is not written yet.`);
  return pid;
}
