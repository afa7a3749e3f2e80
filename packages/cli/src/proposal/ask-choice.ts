import { createInterface } from 'node:readline/promises';

/**
 * Asks a question at the terminal and returns the first letter of the answer, in lower case. Ctrl-C and the end of
 * the input are an empty answer.
 */
export async function askChoice(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(question), closed]);
  terminal.close();
  return answer.trim().toLowerCase().slice(0, 1);
}
