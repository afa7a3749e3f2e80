import { runProgram } from '@saga-ai/core/programs/run';

type Variables = Readonly<Record<string, string | undefined>>;

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Shows an address in the browser of the person; where there is none, the printed one will do. */
export async function openBrowser(url: string, cwd: string, env: Variables): Promise<void> {
  const [program = '', ...lead] = OPENERS[process.platform] ?? ['xdg-open'];
  try {
    await runProgram(program, [...lead, url], { cwd, env, timeoutMs: 10_000 });
  } catch {
    // No such program on a machine without a screen.
  }
}
