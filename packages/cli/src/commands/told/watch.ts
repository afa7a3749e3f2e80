import { SagaError } from '@saga-ai/core/errors';
import { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';

export const command: Command = {
  about: `Fills the terminal with all that runs and all that needs you: the task and the last tool call, the time since the
last sign of life, the time and the cost so far, and until when a worker waits for a usage limit.

↑ and ↓ choose a story, enter shows its log as it grows, t tells its run something, a answers the question that it asks, s
stops it after you say y, and q quits; what runs goes on. Costs with a ~ are estimated until the run ends.`,
  examples: ['saga watch', 'saga watch --project ../shop'],
  stream: {
    instead: 'Nothing: it fills the terminal. `saga status --json` prints how things stand.',
  },
  async run({ paths, out }) {
    if (out.json || !process.stdout.isTTY || !process.stdin.isTTY) {
      throw new SagaError(
        'usage',
        'saga watch needs a terminal and no --json.',
        'Ask once: saga status --json. Wait for something: saga wait <story>. Follow one story: saga logs -f <story>',
      );
    }
    const env = environment.handedOver();
    const stop = environment.stopSignal();
    const { bell } = loadConfigOrDefaults(paths(), { environment: env }).notify;
    // A file that cannot be read now is read again with the next change. The list keeps its other rows.
    const project = await LiveProject.open(paths(), env, () => {});
    try {
      const following = project.follow();
      const { WatchScreen } = await import('../../watch/watch-screen.ts');
      const screen = new WatchScreen(project, out, { bell, stop, person: environment.userName() });
      await screen.show();
      await following;
    } finally {
      await project.close();
    }
    return 0;
  },
};
