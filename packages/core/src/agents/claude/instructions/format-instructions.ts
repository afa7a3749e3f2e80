import type { ProjectFiles } from '../../agent.ts';
import { PROJECT_SETTINGS } from '../account/project-settings.ts';
import { isRules } from './names.ts';

/** An argument may not be longer than 128 KiB. */
const MOST = 30_000;
const MOST_BYTES = 100_000;

/** The project's instructions for the client, as one text; undefined if there are none. */
export function formatInstructions(files: ProjectFiles): string | undefined {
  let bytes = 0;
  const texts = Object.entries(files).flatMap(([path, whole]) => {
    const text = whole.trim();
    if (path === PROJECT_SETTINGS || text === '') return [];
    const part = text.slice(0, MOST);
    bytes += Buffer.byteLength(part);
    if (bytes > MOST_BYTES) return [`(More instructions of this project are in ${path}; read it.)`];
    const rest = part === text ? '' : `\n\n(The rest is in ${path}; read it.)`;
    const kind = isRules(path) ? RULES : 'the instructions of this project';
    return [`Contents of ${path}, ${kind}:\n\n${part}${rest}`];
  });
  return texts.length === 0 ? undefined : [...texts, MORE].join('\n\n');
}

const RULES = 'rules of this project (if they name paths, they are about these files alone)';

const MORE =
  'A folder in which you work may have a CLAUDE.md or an AGENTS.md of its own: read that, too.';
