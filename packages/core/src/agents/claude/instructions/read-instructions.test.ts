import { expect, test } from 'vitest';
import type { ProjectTree } from '../../agent.ts';
import { chooseFamilies } from './choose-families.ts';
import { listImports, readInstructions } from './read-instructions.ts';

/** A project of these files. `-> target` is a symbolic link. */
function createTree(files: Record<string, string>): ProjectTree {
  const isLink = (text: string) => text.startsWith('-> ');
  return {
    files: new Map(Object.entries(files).map(([path, text]) => [path, { isLink: isLink(text) }])),
    read: async (path) => files[path]?.replace(/^-> /, '') ?? '',
  };
}

const hear = async (files: Record<string, string>, choice?: string) => {
  const options = { instructionFiles: choice };
  const settings = { pluginConfigs: { 'agents-md@builtin': { options } } };
  const told = await readInstructions(createTree(files), chooseFamilies(settings));
  return told.map(({ path }) => path);
};

const ALL = {
  '.claude/AGENTS.md': '',
  '.claude/CLAUDE.md': '',
  '.claude/rules/deep/a.md': '',
  'AGENTS.md': '',
  'CLAUDE.local.md': '',
  'CLAUDE.md': '',
  'sub/CLAUDE.md': '',
  'sub/.claude/rules/b.md': '',
};
const CLAUDE = ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'];
const AGENTS = ['AGENTS.md', '.claude/AGENTS.md'];
const RULES = ['.claude/rules/deep/a.md'];

test.each([
  [undefined, [...CLAUDE, ...RULES]],
  ['unknown', [...CLAUDE, ...RULES]],
  ['claude-md', [...CLAUDE, ...RULES]],
  ['claude-md-and-agents-md', [...CLAUDE, ...AGENTS, ...RULES]],
  ['managed-only', []],
])('a run hears what the person chose: %s', async (choice, heard) => {
  expect(await hear(ALL, choice)).toEqual(heard);
});

test.each([
  [undefined, [...AGENTS, ...RULES]],
  ['claude-md', RULES],
])('a run hears AGENTS.md where there is no CLAUDE.md: %s', async (choice, heard) => {
  const files = Object.entries(ALL).filter(([path]) => !CLAUDE.includes(path));
  expect(await hear(Object.fromEntries(files), choice)).toEqual(heard);
});

test('imports are heard after what names them, each once, and so far as the client follows them', async () => {
  const files = {
    'AGENTS.md': '@docs/1.md and @docs/other.md',
    'docs/1.md': '@2.md @../AGENTS.md',
    'docs/2.md': '@./3.md',
    'docs/3.md': '@4.md',
    'docs/4.md': '@5.md',
    'docs/5.md': '',
    'docs/other.md': '@missing.md @1.md @../../outside.md',
  };
  const heard = ['AGENTS.md', 'docs/1.md', 'docs/2.md', 'docs/3.md', 'docs/4.md', 'docs/other.md'];
  expect(await hear(files)).toEqual(heard);
  // What is missing instructs as soon as somebody makes it.
  const imports = [...heard.slice(1), 'docs/missing.md'].sort();
  expect(await listImports(createTree(files))).toEqual(imports);
});

test('links are followed, and a link is protected like what it leads to', async () => {
  const files = {
    'AGENTS.md': '@linked/rules.md',
    'CLAUDE.md': '-> AGENTS.md',
    linked: '-> docs',
    'docs/rules.md': '@round.md @out.md',
    'docs/round.md': '-> round.md',
    'docs/out.md': '-> ../../out.md',
  };
  expect(await hear(files)).toEqual(['AGENTS.md', 'docs/rules.md']);
  const imports = await listImports(createTree(files));
  expect(imports).toEqual(['docs/out.md', 'docs/round.md', 'docs/rules.md', 'linked']);
});

test('what files in any folder import is protected, but not code and data', async () => {
  const files = {
    'packages/a/AGENTS.md': '@style.md @NOTES @package.json @src/index.ts @types/node @src',
    'packages/a/style.md': '',
    'packages/a/NOTES': '',
    'packages/a/package.json': '{}',
    'packages/a/src/index.ts': '',
    '.claude/rules/b.md': '@../../docs/b.txt',
    'docs/b.txt': '',
    'docs/free.md': '@other.md',
    'docs/other.md': '',
  };
  const imports = await listImports(createTree(files));
  expect(imports).toEqual(['docs/b.txt', 'packages/a/NOTES', 'packages/a/style.md']);
});
