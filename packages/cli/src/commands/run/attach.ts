import { SagaError } from '@saga-ai/core/errors';
import { stateOfSession } from '@saga-ai/core/records/session-records';
import { findSession } from '@saga-ai/core/sessions/find-session';
import { openTmux } from '@saga-ai/core/sessions/tmux';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';

export const command: Command = {
  stream: { instead: 'Nothing: tmux takes over the terminal.' },
  args: [{ name: 'story', help: 'a story, or a session', required: true, complete: 'story' }],
  about: 'Press Ctrl-B, then D, to leave the session; it keeps running.',
  async run({ paths, args }) {
    const record = findSession(paths(), args[0] ?? '');
    const tmux = openTmux(paths().root, environment.variables());
    if (record.tmux && (await tmux.has(record.session))) {
      return (await tmux.attach(record.session)).code ?? 1;
    }
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
