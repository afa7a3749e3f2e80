import { SagaError } from '@saga-ai/core/errors';
import { stateOfSession } from '@saga-ai/core/records/session-records';
import { findSession } from '@saga-ai/core/sessions/find-session';
import { findTmux } from '@saga-ai/core/sessions/find-tmux';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';

export const command: Command = {
  stream: { instead: 'Nothing: tmux takes over the terminal.' },
  args: [{ name: 'story', help: 'a story, or a session (the one that runs)', complete: 'story' }],
  about: `Press Ctrl-B, then D, to leave the session; it keeps running. Inside a tmux of your own, press
Ctrl-B twice, then D.`,
  async run({ paths, args }) {
    const record = findSession(paths(), args[0]);
    const tmux = await findTmux(record, paths().root, environment.variables());
    if (tmux) return (await tmux.attach(record.session)).code ?? 1;
    const isRunning = stateOfSession(record) === 'running';
    throw new SagaError(
      'session-failed',
      isRunning
        ? `The worker of ${record.story} (process ${record.pid}) runs outside tmux.`
        : `Session ${record.session} has ended${record.reason ? `: ${record.reason}` : ''}.`,
      `See what it did: saga logs ${record.story}`,
    );
  },
};
