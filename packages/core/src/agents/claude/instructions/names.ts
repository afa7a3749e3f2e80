import { foldName } from '../../../scope/fold-name.ts';

/** Files of a folder that instruct the client wherever they are. */
export const CLAUDE_FILES = ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'];

/** Files of a folder that instruct it by default only where none of the files above is. */
export const AGENTS_FILES = ['AGENTS.md', '.claude/AGENTS.md'];

/** The Markdown files in and below this folder instruct it as well. */
export const RULES_FOLDER = '.claude/rules';

/** The client's own folder in a project: settings, hooks, skills, agents, instructions. */
const OWN_FOLDER = '.claude';

/**
 * Globs of the files of a project that the client reads by itself. No story may change them: they tell every later
 * run what to do.
 */
export const PROTECTED_FILES = [
  `**/${OWN_FOLDER}/**`,
  '.mcp.json',
  ...[...CLAUDE_FILES, ...AGENTS_FILES]
    .filter((path) => !path.startsWith(`${OWN_FOLDER}/`))
    .map((path) => `**/${path}`),
];

/** Says whether a file instructs the client, at the top of a project or in any folder. */
export function isInstructions(path: string): boolean {
  const folded = `/${fold(path)}`;
  if ([...CLAUDE_FILES, ...AGENTS_FILES].some((it) => folded.endsWith(`/${fold(it)}`))) return true;
  return isRules(path);
}

/** Says whether a file is a rule, at the top of a project or in any folder. */
export const isRules = (path: string): boolean =>
  `/${fold(path)}`.includes(`/${RULES_FOLDER}/`) && fold(path).endsWith('.md');

const fold = (path: string) => path.split('/').map(foldName).join('/');
