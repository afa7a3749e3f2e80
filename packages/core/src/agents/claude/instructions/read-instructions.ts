import { posix } from 'node:path';
import type { ProjectTree } from '../../agent.ts';
import type { Families } from './choose-families.ts';
import { findImports } from './find-imports.ts';
import { AGENTS_FILES, CLAUDE_FILES, isInstructions, isRules, RULES_FOLDER } from './names.ts';

/** A file that instructs the client, with its text. */
interface Instructions {
  path: string;
  text: string;
}

/** Reads what the client would be told at the top of a project, with everything that is imported, in its order. */
export async function readInstructions(
  tree: ProjectTree,
  { claude, agents }: Families,
): Promise<Instructions[]> {
  const pick = (names: readonly string[]) => names.filter((name) => tree.files.has(name));
  const own = claude ? pick(CLAUDE_FILES) : [];
  const isMeant = agents === 'always' || (agents === 'instead' && own.length === 0);
  const all = claude ? [...tree.files.keys()] : [];
  const rules = all.filter((path) => path.startsWith(`${RULES_FOLDER}/`) && isRules(path));
  const seen = new Set<string>();
  const found: Instructions[] = [];
  for (const path of [...own, ...(isMeant ? pick(AGENTS_FILES) : []), ...rules]) {
    found.push(...(await readWithImports(tree, path, seen)));
  }
  return found;
}

/**
 * Lists the files that instruct the client because another one imports them or is a link to them, and the ones that
 * would, once somebody makes them. Code and data that is imported counts as work: the client is told it, and stories
 * change it.
 */
export async function listImports(tree: ProjectTree): Promise<string[]> {
  const roots = [...tree.files.keys()].filter(isInstructions);
  const found = await Promise.all(
    roots.map(async (path) => {
      const seen = new Set<string>();
      await readWithImports(tree, path, seen);
      return [...seen];
    }),
  );
  const isDocument = (path: string) =>
    DOCUMENT.test(path) || (NO_EXTENSION.test(path) && tree.files.has(path));
  const imported = found.flat().filter((path) => isDocument(path) && !isInstructions(path));
  return [...new Set(imported)].sort();
}

const DOCUMENT = /\.(md|mdx|mdc|markdown|txt|rst|adoc)$/i;
const NO_EXTENSION = /(^|\/)[^/.]+$/;

/** How far imports of imports are followed, as the client does it: the first file counts. */
const DEEPEST = 5;

async function readWithImports(
  tree: ProjectTree,
  path: string,
  /** Every file and link on the way, also a file that is missing. A file is read once. */
  seen: Set<string>,
  depth = 1,
): Promise<Instructions[]> {
  const real = await follow(tree, path, seen);
  if (real === undefined || seen.has(real)) return [];
  seen.add(real);
  const text = await tree.read(real);
  // An argument cannot contain it, and no text does.
  if (text.includes('\0')) return [];
  const found = [{ path: real, text }];
  if (depth === DEEPEST) return found;
  for (const it of findImports(text)) {
    const imported = posix.join(posix.dirname(real), it);
    found.push(...(await readWithImports(tree, imported, seen, depth + 1)));
  }
  return found;
}

const MOST_LINKS = 40;

/** Follows symbolic links within the project. Returns undefined if a path leads out of it, or to no file. */
async function follow(
  tree: ProjectTree,
  path: string,
  seen: Set<string>,
): Promise<string | undefined> {
  let at = posix.normalize(path);
  for (let links = 0; links < MOST_LINKS; links++) {
    const parts = at.split('/');
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const link = prefixes.find((it) => tree.files.get(it)?.isLink);
    if (link === undefined && tree.files.has(at)) return at;
    if (!/^(\/|\.\.(\/|$))/.test(at)) seen.add(link ?? at);
    if (link === undefined) return undefined;
    const target = await tree.read(link);
    if (target.startsWith('/')) return undefined;
    at = posix.join(posix.dirname(link), target, at.slice(link.length));
  }
  return undefined;
}
