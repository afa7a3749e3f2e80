import type { Engine, RepositoryName } from '@saga-ai/core/fleet/engine';

/** A machine whose workers do nothing: everything it costs is the engine's. */
export interface NullAgent extends AsyncDisposable {
  readonly done: number;
}

export interface Duty {
  name: string;
  repository: RepositoryName;
  slots: number;
  /** Called when a job was taken. */
  onTaken(storyId: string): void;
  onDone(storyId: string): void;
}

/** Takes jobs as an agent does: woken by the engine, as many as it has slots; renews, tells, finishes. */
export async function startNullAgent(engine: Engine, duty: Duty): Promise<NullAgent> {
  const { name, repository, slots, onTaken, onDone } = duty;
  const who = { machine: name, labels: [], repositories: [repository] };
  let free = slots;
  let done = 0;
  let isOver = false;
  let isTaking = false;
  let isWoken = false;
  const work = async (lease: Awaited<ReturnType<typeof engine.jobs.take>>[number]) => {
    const { id } = lease.job;
    await lease.renew();
    const session = `saga-story-${id}-1`;
    const lines = [`{"type":"worker:start","story":"${id}"}`, `{"type":"worker:end"}`];
    await engine.news.tell(repository.key, { session, story: id, machine: name, from: 0, lines });
    await lease.finish({ kind: 'done', reason: 'done', exitCode: 0 });
    free += 1;
    done += 1;
    onDone(id);
    void take();
  };
  const take = async () => {
    isWoken = true;
    if (isTaking || isOver) return;
    isTaking = true;
    while (isWoken && free > 0 && !isOver) {
      isWoken = false;
      const leases = await engine.jobs.take(who, 'story', free);
      free -= leases.length;
      for (const lease of leases) {
        onTaken(lease.job.id);
        void work(lease);
      }
    }
    isTaking = false;
  };
  const listening = await engine.jobs.listen(who, () => void take());
  return {
    get done() {
      return done;
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await listening[Symbol.asyncDispose]();
    },
  };
}
