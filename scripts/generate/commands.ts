import type { CommandEntry } from '../../packages/cli/src/command.ts';
import { COMMANDS } from '../../packages/cli/src/command-table.ts';
import { formatCommandHelp, formatHelp } from '../../packages/cli/src/help.ts';
import { fence, page } from './page.ts';

const plain = (_: string, text: string) => text;

export async function describeCommands(): Promise<string> {
  return page('The commands', [fence(formatHelp(plain)), ...(await describeTable(COMMANDS, ''))]);
}

async function describeTable(table: readonly CommandEntry[], prefix: string): Promise<string[]> {
  const sections: string[] = [];
  for (const entry of table.filter((it) => !it.hidden)) {
    const name = `${prefix}${entry.name}`;
    const { command } = await entry.load();
    const help = formatCommandHelp(name, entry.summary, command, plain);
    sections.push(`## saga ${name}\n\n${fence(help)}`);
    if (command.verbs) sections.push(...(await describeTable(command.verbs, `${name} `)));
  }
  return sections;
}
