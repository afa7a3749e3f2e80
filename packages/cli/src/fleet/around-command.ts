import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@saga-ai/core/errors';
import { withLimit } from '@saga-ai/core/fleet/lease-keeper';
import { Mirror } from '@saga-ai/core/fleet/mirror/mirror';
import { loadSessionRecords } from '@saga-ai/core/records/session-records';
import type { Invocation } from '../command.ts';
import { environment } from '../environment.ts';
import { writeAll } from '../output/write.ts';
import { type Fleet, openFleet, readEngineSettings } from './open-fleet.ts';

type Mode = 'once' | 'follow';

/** What each command needs to know of other machines. Commands that are missing need nothing. */
const MODES: Readonly<Record<string, (invocation: Invocation<object>) => Mode>> = {
  status: ({ flag }) => (flag('watch') ? 'follow' : 'once'),
  logs: ({ flag }) => (flag('follow') ? 'follow' : 'once'),
  watch: () => 'follow',
  wait: () => 'follow',
  dashboard: () => 'follow',
  ...Object.fromEntries(
    [
      ...['sessions', 'inbox', 'blockers', 'list', 'ready', 'show', 'tree', 'costs', 'diff'],
      ...['run', 'tell', 'resolve', 'feedback', 'pause', 'continue'],
    ].map((name) => [name, () => 'once' as const]),
  ),
};

/** A command waits so long for an engine at most, before it shows what is known here. */
const PATIENCE_MS = 8000;

/**
 * Brings what other machines of the fleet report into this project before a command reads it, and while it does.
 * An engine that is away costs a warning, not the command.
 */
export async function openAround(
  name: string,
  invocation: Invocation<object>,
): Promise<AsyncDisposable | undefined> {
  const mode = MODES[name]?.(invocation);
  if (mode === undefined) return undefined;
  const paths = invocation.paths();
  if (readEngineSettings(paths).url === null) return undefined;
  let fleet: Fleet | undefined;
  try {
    fleet = await withLimit(openFleet(paths), PATIENCE_MS);
    const { engine, repository, git, remote, leaseMs } = fleet;
    const env = environment.variables();
    const mirror = new Mirror({ engine, repository, paths, git, env, remote });
    await withLimit(mirror.pull(), PATIENCE_MS);
    if (mode === 'once') {
      await fleet[Symbol.asyncDispose]();
      return undefined;
    }
    const following = await mirror.follow(leaseMs / 3);
    if (name === 'logs') await waitForSession(mirror, invocation);
    const opened = fleet;
    return {
      async [Symbol.asyncDispose]() {
        await following[Symbol.asyncDispose]();
        await opened[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await fleet?.engine.close().catch(() => {});
    const why = messageOf(error).replace(/\.$/, '');
    writeAll(2, `! ${why}; what other machines do is shown as last known here\n`);
    return undefined;
  }
}

/** A story that was just handed over has no log yet; it is waited for as long as the fleet has it. */
async function waitForSession(mirror: Mirror, { args, paths }: Invocation<object>): Promise<void> {
  const id = args[0] ?? '';
  const isOpen = () => mirror.jobs.some((it) => it.id === id && it.state !== 'ended');
  const isHere = () => {
    const [record] = loadSessionRecords(paths()).records.filter((it) => it.story === id);
    const job = mirror.jobs.find((it) => it.id === id && it.state !== 'ended');
    // An earlier session of the story is not the one that is waited for.
    return record !== undefined && (job === undefined || record.endedAt === undefined);
  };
  if (isHere() || !isOpen()) return;
  writeAll(2, `${id} waits until a machine has begun with it; saga fleet says why\n`);
  while (isOpen() && !isHere()) await sleep(200);
}
