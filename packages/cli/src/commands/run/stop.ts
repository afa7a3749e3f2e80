import { SagaError } from '@saga-ai/core/errors';
import { findSession } from '@saga-ai/core/sessions/find-session';
import { forgetWorker } from '@saga-ai/core/sessions/forget-worker';
import { type Stopped, stopSession } from '@saga-ai/core/sessions/stop-session';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import type { StopJson } from '@saga-ai/types/screens/json/run';
import { parseAnySession, parseSession } from '@saga-ai/types/words/names';
import type { Command, Invocation } from '../../command.ts';
import { type StoppedInFleet, stopInFleet } from '../../fleet/say-word.ts';
import type { Output } from '../../output/output.ts';
import { createPassingLine } from '../../output/passing-line.ts';

export const command: Command<StopJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.StopJson),
  args: [{ name: 'story', help: 'a story, or a session (the one that runs)', complete: 'story' }],
  options: {
    forget: {
      type: 'boolean',
      help: 'remove the lock of a worker on another machine',
    },
  },
  about: `Ends the run, and commits and records what it did. saga run resumes from there. A worker on another
machine can only be stopped on that machine. If that machine no longer exists, --forget removes the lock of
its worker. Do not use --forget while that worker runs: two workers would then work on one story.`,
  examples: ['saga stop cart-api', 'saga stop --forget cart-api'],
  async run(invocation) {
    const { paths, out, args, flag } = invocation;
    if (flag('forget')) return forget(invocation);
    const name = args[0];
    if (name !== undefined) {
      const id = parseAnySession(name)?.storyId ?? name;
      const elsewhere = await stopInFleet(paths(), id);
      if (elsewhere) return tellElsewhere(invocation, id, elsewhere);
    }
    const record = findSession(paths(), name);
    const result = await waitForEnd(out, record);
    if (out.json) return void out.value({ session: record.session, story: record.story, result });
    const { story } = record;
    out.lines([
      result === 'was-over'
        ? `${story} is not running.`
        : result === 'stopped'
          ? `${out.paint('done', '✓')} ${story} stopped; to resume: saga run ${story}`
          : `${out.paint('needs-you', '!')} ${story} did not stop and was killed; to clean up and resume: saga run ${story}`,
    ]);
    return 0;
  },
};

/**
 * A worker commits and pushes before it ends, which may take long, so a terminal shows that the command waits.
 */
async function waitForEnd(out: Output, record: SessionRecord): Promise<Stopped> {
  using passing = createPassingLine(out);
  passing.show(`… ${record.story} stops: it commits and pushes what it has`);
  return await stopSession(record);
}

/** Says what became of a story or epic that the fleet had. */
function tellElsewhere(
  { out }: Invocation<StopJson>,
  story: string,
  stopped: StoppedInFleet,
): number {
  if (out.json) {
    const machine = 'machine' in stopped ? { machine: stopped.machine } : {};
    out.value({ story, result: stopped.kind, ...machine });
    return 0;
  }
  const { kind } = stopped;
  const resume = `to go on: saga run ${story} --engine`;
  out.lines([
    kind === 'withdrawn'
      ? `${out.paint('done', '✓')} ${story} was taken out of the queue; ${resume}`
      : kind === 'stopped'
        ? `${out.paint('done', '✓')} ${story} stopped on ${stopped.machine}; ${resume}`
        : `${out.paint('needs-you', '!')} ${stopped.machine} was told to stop ${story}, and has not yet: saga fleet`,
  ]);
  return 0;
}

function forget({ paths, out, args }: Invocation<StopJson>): number {
  const [name] = args;
  if (name === undefined) {
    throw new SagaError('usage', '--forget needs a story.', 'Such as: saga stop --forget cart-api');
  }
  const story = parseSession(name)?.storyId ?? name;
  const { owner, sessions } = forgetWorker(paths(), story);
  const isDone = owner !== undefined || sessions.length > 0;
  if (out.json) {
    out.value({ story, result: isDone ? 'forgotten' : 'nothing-to-forget', sessions });
    return 0;
  }
  const whose = owner ? ` (process ${owner.pid} on ${owner.host})` : '';
  out.lines([
    isDone
      ? `${out.paint('done', '✓')} removed the lock of the worker of ${story}${whose}; to resume: saga run ${story}`
      : `No worker on another machine holds ${story}.`,
  ]);
  return 0;
}
