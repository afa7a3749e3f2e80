import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@saga-ai/core/errors';
import { withLimit } from '@saga-ai/core/fleet/lease-keeper';
import { Mirror } from '@saga-ai/core/fleet/mirror/mirror';
import type { Paths } from '@saga-ai/core/project/paths';
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

/** How long a command waits for a slow engine before it shows what this machine knows. */
const PATIENCE_MS = 30_000;
/** How often a command that runs tries to reach the engine again. */
const AGAIN_MS = 3000;

/**
 * Brings what other machines of the fleet report into this project before a command reads the project, and
 * while the command runs. If the engine cannot be reached, the command warns and goes on.
 */
export async function openAround(
  name: string,
  invocation: Invocation<object>,
): Promise<AsyncDisposable | undefined> {
  const mode = MODES[name]?.(invocation);
  if (mode === undefined) return undefined;
  const paths = invocation.paths();
  if (readEngineSettings(paths).url === null) return undefined;
  if (mode === 'once') {
    await bringIn(paths).then((it) => it?.fleet.engine.close(), warn);
    return undefined;
  }
  const following = new Following(paths);
  const isThere = await following.open();
  if (name === 'logs' && isThere) await waitForSession(following, invocation);
  return following;
}

function warn(error: unknown): void {
  const why = messageOf(error).replace(/\.$/, '');
  writeAll(2, `! ${why}; what other machines do is shown as last known here\n`);
}

interface BroughtIn {
  fleet: Fleet;
  mirror: Mirror;
}

/** Opens the fleet, and writes down what is new. */
async function bringIn(paths: Paths): Promise<BroughtIn> {
  const opening = openFleet(paths);
  let fleet: Fleet;
  try {
    fleet = await withLimit(opening, PATIENCE_MS);
  } catch (error) {
    // The command went on without the engine. If the connection opens later, it is closed.
    opening.then(({ engine }) => engine.close()).catch(() => {});
    throw error;
  }
  const { engine, repository, git, remote } = fleet;
  const env = environment.variables();
  const mirror = new Mirror({ engine, repository, paths, git, env, remote });
  try {
    await withLimit(mirror.pull(), PATIENCE_MS);
  } catch (error) {
    await engine.close().catch(() => {});
    throw error;
  }
  return { fleet, mirror };
}

/** Follows the fleet as long as a command runs. If the engine cannot be reached, tries again until it can. */
class Following implements AsyncDisposable {
  readonly #paths: Paths;
  #open: (BroughtIn & { following: AsyncDisposable }) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isWarned = false;

  constructor(paths: Paths) {
    this.#paths = paths;
  }

  get jobs(): Mirror['jobs'] {
    return this.#open?.mirror.jobs ?? [];
  }

  /** Returns whether the engine is there now. */
  async open(): Promise<boolean> {
    try {
      const found = await bringIn(this.#paths);
      const following = await found.mirror.follow(found.fleet.leaseMs / 3);
      this.#open = { ...found, following };
      if (this.#isOver) await this[Symbol.asyncDispose]();
      return true;
    } catch (error) {
      if (!this.#isWarned) warn(error);
      this.#isWarned = true;
      if (!this.#isOver) this.#timer = setTimeout(() => void this.open(), AGAIN_MS);
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#open?.following[Symbol.asyncDispose]();
    await this.#open?.fleet.engine.close();
  }
}

/** Waits for the first session of a story that was just handed over, as long as the fleet has the story. */
async function waitForSession(
  fleet: Following,
  { args, paths }: Invocation<object>,
): Promise<void> {
  const id = args[0] ?? '';
  const isOpen = () => fleet.jobs.some((it) => it.id === id && it.state !== 'ended');
  const isHere = () => {
    const [record] = loadSessionRecords(paths()).records.filter((it) => it.story === id);
    const job = fleet.jobs.find((it) => it.id === id && it.state !== 'ended');
    // A session from before the hand-over does not count.
    return record !== undefined && (job === undefined || record.endedAt === undefined);
  };
  if (isHere() || !isOpen()) return;
  writeAll(2, `${id} waits until a machine has begun with it; saga fleet says why\n`);
  while (isOpen() && !isHere()) await sleep(200);
}
