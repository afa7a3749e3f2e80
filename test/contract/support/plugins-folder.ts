import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Stage } from '../../rig/client/stage.ts';

/** Path below the plugin's folder, and what is in the file. */
export type Files = Record<string, string | object>;

export const MANIFEST = {
  name: 'saga',
  version: '0.1.0',
  description: 'Runs stories.',
  author: { name: 'SAGA' },
};

/** Writes a plugin named saga with these files; the folder has a space in it, as homes may. */
export function writePlugin(stage: Stage, files: Files, folder = 'the plugin'): string {
  const root = join(stage.home, folder);
  writeFiles(root, { '.claude-plugin/plugin.json': MANIFEST, ...files });
  return root;
}

export function writeFiles(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(file, text, { mode: path.startsWith('bin/') ? 0o755 : 0o644 });
  }
}

export function skill(name: string, body: string, more = ''): Files {
  const head = `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n`;
  return { [`skills/${name}/SKILL.md`]: `${head}${body}\n` };
}
