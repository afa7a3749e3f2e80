import { EXIT_CODES } from '@saga-ai/types/run/session-record';
import { formatSession } from '@saga-ai/types/words/names';
import { loadStory } from '../../plan/stories.ts';
import type { Paths } from '../../project/paths.ts';
import { loadSessionRecord } from '../../records/session-records.ts';
import type { Handle, LaunchEnd, Launcher } from '../../sessions/launcher.ts';
import type { Engine, JobState, RepositoryName } from '../engine.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { formatVersionLabel } from '../version-label.ts';

export interface FleetLauncherOptions {
  engine: Engine;
  repository: RepositoryName;
  paths: Paths;
  mirror: Mirror;
  /** Who hands the stories over. */
  by: string;
  sagaVersion: string;
  /**
   * Returns true once another scheduler will go on with the epic. Then the stories on other machines are not stopped.
   */
  isLeaving(): boolean;
}

/** If the engine sends nothing, all jobs are read again after this time. */
const LOOK_AGAIN_MS = 3000;
/** How long a start waits for a machine to take the story. After that the story counts as queued. */
const TAKEN_MS = 5000;

/** Hands stories to machines of the fleet. They live on when this process ends. */
export async function createFleetLauncher(
  options: FleetLauncherOptions,
): Promise<Launcher & AsyncDisposable> {
  const { engine, repository, paths, by, sagaVersion, isLeaving } = options;
  const watch = new JobWatch(options);
  const listening = await engine.news.listen(repository.key, () => watch.wake());
  const timer = setInterval(() => watch.wake(), LOOK_AGAIN_MS);
  const say = (story: string, reason: string) =>
    engine.news.say(repository.key, { story, kind: 'stop', content: { reason }, by });
  return {
    async start(storyId, { flags = {}, anyway = false } = {}) {
      const { needs = [] } = loadStory(paths, storyId).story;
      await engine.jobs.offer({
        repository,
        kind: 'story',
        id: storyId,
        needs: [...needs, formatVersionLabel(sagaVersion)],
        flags,
        anyway,
        by,
      });
      const { taken, ended, giveUp } = watch.add(storyId);
      const wait = AbortSignal.timeout(TAKEN_MS);
      const limit = new Promise<undefined>((resolve) => {
        wait.addEventListener('abort', () => resolve(undefined), { once: true });
      });
      const takenAt = await Promise.race([taken, ended.then(() => undefined), limit]);
      const session = formatSession({ storyId, timestamp: takenAt ?? Date.now() });
      return {
        session,
        outputFile: loadSessionRecord(paths, session)?.outputFile ?? '',
        ended,
        async stop(reason) {
          if (isLeaving()) return giveUp('it goes on without this scheduler');
          if (await engine.jobs.withdraw(repository.key, storyId)) watch.wake();
          else await say(storyId, reason);
          await ended;
        },
      } satisfies Handle;
    },
    async stopEarlier({ story }, reason) {
      if (!isLeaving()) await say(story, reason);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await listening[Symbol.asyncDispose]();
    },
  };
}

interface Waiting {
  storyId: string;
  /** Called when a machine takes the job. `at` is the time of the engine; the session is named after it. */
  taken(at: number): void;
  end(end: LaunchEnd): void;
}

/** Looks at all jobs together, whenever there may be news. */
class JobWatch {
  readonly #options: FleetLauncherOptions;
  readonly #waiting = new Set<Waiting>();
  #looking: Promise<void> | undefined;
  #isAsked = false;

  constructor(options: FleetLauncherOptions) {
    this.#options = options;
  }

  add(storyId: string) {
    const taken = Promise.withResolvers<number>();
    const ended = Promise.withResolvers<LaunchEnd>();
    const waiting: Waiting = {
      storyId,
      taken: taken.resolve,
      end: (end) => {
        this.#waiting.delete(waiting);
        ended.resolve(end);
      },
    };
    this.#waiting.add(waiting);
    this.wake();
    const giveUp = (reason: string) =>
      waiting.end({ kind: 'stopped', reason, exitCode: EXIT_CODES.stopped });
    return { taken: taken.promise, ended: ended.promise, giveUp };
  }

  wake(): void {
    this.#isAsked = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  async #look(): Promise<void> {
    const { engine, repository, mirror } = this.#options;
    while (this.#isAsked && this.#waiting.size > 0) {
      this.#isAsked = false;
      try {
        // A story that is handed over while the engine answers may still be listed with its earlier end.
        const asked = [...this.#waiting];
        const jobs = await engine.jobs.list(repository.key);
        const over: [Waiting, LaunchEnd][] = [];
        for (const waiting of asked) {
          const own = jobs.filter((it) => it.kind === 'story' && it.id === waiting.storyId);
          const active = own.find((it) => it.state === 'active');
          if (active?.takenAt !== undefined) waiting.taken(Date.parse(active.takenAt));
          const end = findEnd(own);
          if (end) over.push([waiting, end]);
        }
        if (over.length === 0) continue;
        // The scheduler looks next at what they pushed and what they cost.
        await mirror.pull({ needsNow: true });
        await mirror.fetch();
        for (const [waiting, end] of over) waiting.end(end);
      } catch {
        // The engine is away. The timer asks again, and stories go on without it; the agent says that it is away.
      }
    }
  }
}

/** How the newest job ended; undefined while it is queued or under way. */
function findEnd(jobs: readonly JobState[]): LaunchEnd | undefined {
  if (jobs.some((it) => it.state !== 'ended')) return undefined;
  const [newest] = jobs.toSorted((a, b) => (a.queuedAt < b.queuedAt ? 1 : -1));
  return newest?.end;
}
