import { SagaError } from '../errors.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import { type Ended, type Environment, runInTerminal, runProgram } from '../processes/run.ts';

export interface Tmux {
  version(): Promise<string>;
  has(session: string): Promise<boolean>;
  start(session: string, cwd: string, command: readonly string[]): Promise<void>;
  attach(session: string): Promise<Ended>;
}

const LOCAL_MS = 10_000;

export function openTmux(folder: string, env: Environment): Tmux {
  const run = (args: readonly string[]) =>
    runProgram('tmux', args, { cwd: folder, env, timeoutMs: LOCAL_MS });
  return {
    async version() {
      const { stdout } = await run(['-V']);
      return stdout.replace(/^tmux\s+/, '').trim();
    },
    // "=" means exactly this name; otherwise tmux would accept a prefix.
    has: async (session) => (await run(['has-session', '-t', `=${session}`])).code === 0,
    async start(session, cwd, command) {
      const place = ['-s', session, '-c', cwd, '-x', '120', '-y', '40'];
      const result = await run(['new-session', '-d', ...place, '--', ...command]);
      if (result.code === 0) return;
      throw new SagaError(
        'session-failed',
        `tmux did not start session ${session}: ${describeFailure(result)}.`,
        'Run it in place instead: saga run --foreground',
      );
    },
    attach: (session) => {
      // Inside tmux, switch to the session: attaching would nest one tmux in another.
      const verb = env.TMUX ? 'switch-client' : 'attach-session';
      return runInTerminal('tmux', [verb, '-t', `=${session}`], env);
    },
  };
}
