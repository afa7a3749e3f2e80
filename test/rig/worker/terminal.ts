import { expect } from 'vitest';
import { SAGA } from '../programs/run-program.ts';
import { createTmuxServer } from './tmux-server.ts';

/** A `saga` command on a real terminal of 80 columns, started by a shell that says how it ended. */
export function openTerminal(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const tmux = createTmuxServer();
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const all = Object.entries({ NO_COLOR: '1', LANG: 'C.UTF-8', ...env });
  const variables = all.map(([name, value]) => quote(`${name}=${value}`)).join(' ');
  const saga = `env ${variables} ${process.execPath} ${SAGA} ${args.map(quote).join(' ')}`;
  // Ctrl-C is for the command: the shell around it stays, to say how it ended.
  const shell = `trap : INT; cd ${quote(root)} && ${saga}; echo ended with $?; exec cat`;
  tmux.run('-u', 'new-session', '-d', '-x', '80', '-y', '24', 'sh', '-c', shell);
  /** Everything that was shown, also what has scrolled away. */
  const text = () => tmux.run('capture-pane', '-p', '-S', '-5000').trimEnd();
  return {
    text,
    type: (...keys: string[]) => tmux.run('send-keys', ...keys),
    async shows(line: RegExp) {
      const found = () => line.test(text()) || text();
      await expect.poll(found, { interval: 100 }).toBe(true);
    },
    [Symbol.dispose]: () => tmux[Symbol.dispose](),
  };
}
