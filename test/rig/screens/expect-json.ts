import { ErrorJson } from '@saga-ai/types/screens/json/machine';
import { expect } from 'vitest';
import type { Command, CommandEntry } from '../../../packages/cli/src/command.ts';
import { COMMANDS } from '../../../packages/cli/src/command-table.ts';

export interface NamedCommand {
  /** The name with its verb, such as `task ready`. */
  name: string;
  command: Command<object>;
}

/** Lists every command, including the hidden ones. */
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

/** Expects that the value fits the declared output of the command: every key is known, and none is missing. */
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

/**
 * Expects that a value fits a schema. A schema drops unknown keys, so the result is compared with the printed value.
 */
function expectToFit(schema: Parser, value: unknown, about: string): void {
  const { data, error } = schema.safeParse(value);
  expect(error, `${about} printed ${JSON.stringify(value, null, 2)}`).toBeUndefined();
  expect(data, about).toEqual(value);
}
