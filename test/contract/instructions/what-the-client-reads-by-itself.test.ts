import {
  AGENTS_FILES,
  CLAUDE_FILES,
  isInstructions,
  PROTECTED_FILES,
} from '@saga-ai/core/agents/claude/instructions/names';
import { findProtected } from '@saga-ai/core/scope/protected-files';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { empty, hear, listNames } from '../support/instructions-heard.ts';

/** Files by which other programs are instructed, and variants of those that the client knows. */
const STRANGERS = [
  ...['.cursorrules', '.windsurfrules', '.clinerules', '.cursor/rules/a.mdc', '.goosehints'],
  ...['.github/copilot-instructions.md', '.github/instructions/a.instructions.md'],
  ...['.agents/AGENTS.md', '.agents/rules/a.md', '.claude/AGENTS.local.md', 'AGENTS.local.md'],
  ...['.claude/rules/a.md', '.claude/rules/deep/b.md', '.claude/rules/c.txt', 'rules/a.md'],
];

/** Every file that might be read: what the client's code names, at the top, in its folder and in a folder below. */
function listCandidates(stage: Stage): string[] {
  const names = [...new Set([...listNames(stage), ...STRANGERS])];
  const own = names.filter((name) => !name.includes('/')).map((name) => `.claude/${name}`);
  const all = [...new Set([...names, ...own])];
  return [...all, ...all.map((name) => `sub/${name}`)];
}

const isClaude = (path: string) => /(^|\/)CLAUDE(\.local)?\.md$/i.test(path);
const isAgents = (path: string) => /(^|\/)AGENTS\.md$/i.test(path);
const everywhere = (names: readonly string[]) => [...names, ...names.map((it) => `sub/${it}`)];

function findUnprotected(paths: string[]): string[] {
  const known = findProtected(paths, { byDefault: PROTECTED_FILES, configured: [] });
  return paths.filter((path) => !known.includes(path));
}

contract('every file that the client reads by itself is in the list', {}, async (stage) => {
  const heard = await hear(stage, empty(listCandidates(stage)));
  expect(findUnprotected(heard)).toEqual([]);
  expect(heard).toEqual(expect.arrayContaining(CLAUDE_FILES));
  expect(heard.filter(isAgents)).toEqual([]);
});

contract(
  'the client reads what is in the list, rules included, also in a folder in which it works',
  { since: '2.1.100' },
  async (stage) => {
    const rules = ['.claude/rules/a.md', '.claude/rules/deep/b.md'];
    const files = everywhere([...CLAUDE_FILES, ...rules]);
    expect(files.every(isInstructions)).toBe(true);
    const heard = await hear(stage, empty([...files, '.claude/rules/c.txt', 'CLAUDE.txt']));
    expect(heard).toEqual(files);
  },
);

contract('without a CLAUDE.md the client reads AGENTS.md', { since: '2.1.277' }, async (stage) => {
  const heard = await hear(stage, empty(listCandidates(stage).filter((it) => !isClaude(it))));
  expect(findUnprotected(heard)).toEqual([]);
  expect(heard.filter(isAgents).sort()).toEqual(everywhere(AGENTS_FILES).sort());
});

contract(
  'without a CLAUDE.md the client reads nothing else',
  { until: '2.1.277' },
  async (stage) => {
    const heard = await hear(stage, empty(listCandidates(stage).filter((it) => !isClaude(it))));
    expect(findUnprotected(heard)).toEqual([]);
    expect(heard.filter(isAgents)).toEqual([]);
  },
);
