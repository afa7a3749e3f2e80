import { findSession } from '@saga-ai/core/sessions/find-session';
import { forgetWorker } from '@saga-ai/core/sessions/forget-worker';
import { stopSession } from '@saga-ai/core/sessions/stop-session';
import { parseSession } from '@saga-ai/types/words/names';
import type { Command, Invocation } from '../../command.ts';

export const command: Command = {
  args: [{ name: 'story', help: 'a story, or a session', required: true, complete: 'story' }],
  options: {
    forget: {
      type: 'boolean',
      help: 'give up a worker of another machine: its lock is removed',
    },
  },
  about: `The run is ended, what it did is kept and recorded. saga run goes on from there.
A worker of another machine can only be stopped there. If that machine is gone, --forget removes the
worker's lock; if it is not, two workers may then be at one story.`,
  examples: ['saga stop cart-api', 'saga stop --forget cart-api'],
  async run(invocation) {
    const { paths, out, args, flag } = invocation;
    if (flag('forget')) return forget(invocation);
    const record = findSession(paths(), args[0] ?? '');
    const result = await stopSession(record);
    if (out.json) return void out.value({ session: record.session, story: record.story, result });
    const { story } = record;
    out.lines([
      result === 'was-over'
        ? `${story} is not running.`
        : result === 'stopped'
          ? `${out.paint('done', '✓')} ${story} stopped; saga run ${story} goes on`
          : `${out.paint('needs-you', '!')} ${story} did not stop and was killed; saga run ${story} looks after it`,
    ]);
    return 0;
  },
};

function forget({ paths, out, args }: Invocation): number {
  const name = args[0] ?? '';
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
      ? `${out.paint('done', '✓')} the worker of ${story}${whose} is forgotten; saga run ${story} goes on`
      : `No other machine is at ${story}.`,
  ]);
  return 0;
}
