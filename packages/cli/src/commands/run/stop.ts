import { findSession } from '@saga-ai/core/sessions/find-session';
import { stopSession } from '@saga-ai/core/sessions/stop-session';
import type { StopJson } from '@saga-ai/types/screens/json/run';
import type { Command } from '../../command.ts';

export const command: Command<StopJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.StopJson),
  args: [{ name: 'story', help: 'a story, or a session', required: true, complete: 'story' }],
  about: `The run is ended, what it did is kept and recorded. saga run goes on from there.`,
  async run({ paths, out, args }) {
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
