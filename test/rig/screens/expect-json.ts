import { ErrorJson } from '@saga-ai/types/screens/json/machine';
import { expect } from 'vitest';
import type { Command, CommandEntry } from '../../../packages/cli/src/command.ts';
import { COMMANDS } from '../../../packages/cli/src/command-table.ts';

export interface NamedCommand {
  /** With its verb: `task ready`. */
  name: string;
  command: Command<object>;
}

/** Every command, the hidden ones too. */
export async function listCommands(
  table: readonly CommandEntry[] = COMMANDS,
  prefix = '',
): Promise<NamedCommand[]> {
  const found = table.map(async (entry): Promise<NamedCommand[]> => {
    const { command } = await entry.load();
    const name = `${prefix}${entry.name}`;
    return command.verbs ? listCommands(command.verbs, `${name} `) : [{ name, command }];
  });
  return (await Promise.all(found)).flat();
}

/** The value is what the command declares as its output: every key is known, and none is missing. */
export async function expectJson(name: string, text: string): Promise<void> {
  const { command } = (await listCommands()).find((it) => it.name === name) ?? {};
  if (!command?.output) throw new Error(`saga ${name} declares no output`);
  const schema = await command.output();
  if (command.stream === 'lines') {
    const lines = text.trimEnd().split('\n');
    for (const line of lines) expectToFit(schema, JSON.parse(line), `saga ${name}`);
    return;
  }
  expect(text, `saga ${name}: the version comes first`).toMatch(/^\{\s*"version": 1,/);
  const { version: _, ...value } = JSON.parse(text);
  expectToFit(schema, value, `saga ${name}`);
}

export function expectErrorJson(text: string, about: string): void {
  expectToFit(ErrorJson, JSON.parse(text), about);
}

interface Parser {
  safeParse(value: unknown): { success: boolean; data?: unknown; error?: unknown };
}

/** What a schema does not know it drops, so that what is left would differ from what was printed. */
function expectToFit(schema: Parser, value: unknown, about: string): void {
  const { data, error } = schema.safeParse(value);
  expect(error, `${about} printed ${JSON.stringify(value, null, 2)}`).toBeUndefined();
  expect(data, about).toEqual(value);
}
