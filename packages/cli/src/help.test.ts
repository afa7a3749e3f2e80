import { expect, test } from 'vitest';
import type { CommandEntry } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { formatCommandHelp, formatHelp } from './help.ts';

const plain = (_: unknown, text: string) => text;

async function helpOf({ name, summary, load }: CommandEntry, lead = ''): Promise<string[]> {
  const { command } = await load();
  const whole = `${lead}${name}`;
  const below = (command.verbs ?? []).map((verb) => helpOf(verb, `${whole} `));
  const lines = formatCommandHelp(whole, summary, command, plain);
  return [...lines, ...(await Promise.all(below)).flat()];
}

test('the help of every command fits into 80 columns', async () => {
  const all = [formatHelp(plain), ...(await Promise.all(COMMANDS.map((it) => helpOf(it))))];
  expect(all.flat().filter((line) => line.length > 80)).toEqual([]);
});
