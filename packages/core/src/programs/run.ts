import { spawn } from 'node:child_process';
import { messageOf, SagaError } from '../errors.ts';

/** Runs a program that talks to the person at the terminal. */
export async function runInteractive(commandLine: string, args: string[]): Promise<void> {
  // $EDITOR may carry arguments of its own, such as "code --wait"; it never passes a shell.
  const [program = '', ...lead] = commandLine.split(/\s+/).filter(Boolean);
  const ended = new Promise<number | null>((resolve, reject) => {
    const child = spawn(program, [...lead, ...args], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', resolve);
  });
  let code: number | null;
  try {
    code = await ended;
  } catch (cause) {
    throw new SagaError(
      'edit-refused',
      `${program} cannot be started (${messageOf(cause)}).`,
      'Set EDITOR to an editor that is installed.',
      { cause },
    );
  }
  if (code === 0) return;
  throw new SagaError('edit-refused', `${program} ended with code ${code}.`, 'Nothing was saved.');
}
