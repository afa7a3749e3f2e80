import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRequest, Stage } from '../../rig/client/stage.ts';

/** As a person starts it: with their settings and those of the project. */
const PLAIN = ['-p', '--output-format', 'stream-json', '--verbose', '--strict-mcp-config'];

/**
 * Writes these files, by path, and returns which of them the model is told without having asked for them, while it
 * reads a file in the folder `sub`.
 */
export async function hear(
  stage: Stage,
  files: Record<string, string>,
  request: Partial<RunRequest> = {},
): Promise<string[]> {
  const mark = (index: number) => `MARK-${index}-END`;
  const paths = Object.keys(files);
  for (const [index, path] of paths.entries()) {
    stage.write(path, `${files[path]}\n\n${mark(index)}\n`);
  }
  const read = { tool: 'Read', input: { file_path: stage.write('sub/code.ts', '1;\n') } };
  const run = await stage.run({
    bareArgs: PLAIN,
    turns: [{ calls: [read] }, { text: 'Done.' }],
    ...request,
  });
  const told = JSON.stringify(run.model.requests.map(({ body }) => body));
  return paths.filter((_, index) => told.includes(mark(index)));
}

/** Files without a text of their own. */
export const empty = (paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, '']));

const CHUNK = 2 ** 24;
const LONGEST = 100;

/** Lists the names of Markdown files that stand in the client's own code as texts. */
export function listNames({ client }: Stage): string[] {
  const [script = client.program] = client.lead;
  const file = openSync(script, 'r');
  const buffer = Buffer.alloc(CHUNK + LONGEST);
  const found = new Set<string>();
  for (let at = 0, read = 1; read > 0; at += CHUNK) {
    read = readSync(file, buffer, 0, buffer.length, at);
    const text = buffer.toString('latin1', 0, read);
    for (const [, name = ''] of text.matchAll(NAME)) found.add(join('.', name));
  }
  closeSync(file);
  return [...found].filter((path) => !path.startsWith('..')).sort();
}

const NAME = /["'`]([\w./-]{1,80}\.mdc?)["'`]/g;
