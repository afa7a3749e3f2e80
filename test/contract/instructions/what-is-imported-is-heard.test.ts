import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseFamilies } from '@saga-ai/core/agents/claude/instructions/choose-families';
import { AGENTS_FILES, CLAUDE_FILES } from '@saga-ai/core/agents/claude/instructions/names';
import { readInstructions } from '@saga-ai/core/agents/claude/instructions/read-instructions';
import { openGit } from '@saga-ai/core/git/git';
import { openTree } from '@saga-ai/core/git/project-tree';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { empty, hear } from '../support/instructions-heard.ts';

const TEXT = `
@docs/1.md and @./docs/dot.md, then (@docs/in-parentheses.md) and \`@docs/in-code.md\`
- @docs/in-a-list.md
**@docs/bold.md** _@docs/with_underscores.md_ @docs/data.json @docs/README @docs/with\\ space.md
> @docs/quoted.md#part

# @docs/heading.md

| @docs/cell.md | @docs/with-comma.md, |
|---|---|
| <b>@docs/tagged.md</b> | @linked.md |

<!-- @docs/in-a-comment.md -->

\`\`\`
@docs/fenced.md
\`\`\`

me@docs/in-a-word.md @docs @../outside.md @/etc/hostname @docs/end.md. One \` alone.

@docs/last.md
`;

const NAMES = [
  ...['dot', 'in-parentheses', 'in-code', 'in-a-list', 'bold', 'with_underscores', 'with space'],
  ...['quoted', 'heading', 'cell', 'with-comma', 'tagged', 'in-a-comment', 'fenced', 'in-a-word'],
  ...['end', 'last'],
];

const FILES = {
  'docs/data.json': '{}',
  'docs/README': '',
  ...Object.fromEntries(NAMES.map((name) => [`docs/${name}.md`, ''])),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`docs/${n}.md`, `@${n + 1}.md`])),
  'docs/real.md': '@beside.md',
  'docs/beside.md': '',
  'beside.md': '',
};

/** What SAGA would tell a run of these files, by this choice of the person. */
async function read(stage: Stage, choice?: string): Promise<string[]> {
  const git = openGit(stage.repo, stage.environment());
  await git.run(['add', '-A']);
  const tree = await openTree(git, await git.run(['write-tree']));
  const told = await readInstructions(tree, chooseFamilies(choose(choice)));
  return told.map(({ path }) => path).sort();
}

const choose = (instructionFiles?: string) => ({
  pluginConfigs: { 'agents-md@builtin': { options: { instructionFiles } } },
});

contract(
  'SAGA tells a run the imports that the client would tell it',
  { since: '2.1.100' },
  async (stage) => {
    symlinkSync('docs/real.md', join(stage.repo, 'linked.md'));
    const heard = await hear(stage, { ...FILES, 'CLAUDE.md': TEXT });
    expect(heard).toContain('docs/4.md');
    expect(heard.sort()).toEqual(await read(stage));
  },
);

contract('a link instead of a CLAUDE.md is followed', {}, async (stage) => {
  symlinkSync('AGENTS.md', join(stage.repo, 'CLAUDE.md'));
  const heard = await hear(stage, { 'AGENTS.md': '@docs/dot.md', 'docs/dot.md': '' });
  expect(heard).toEqual(['AGENTS.md', 'docs/dot.md']);
  expect(await read(stage)).toEqual(heard);
});

contract('a person chooses which files instruct', { since: '2.1.277' }, async (stage) => {
  const files = empty([...CLAUDE_FILES, ...AGENTS_FILES, '.claude/rules/a.md']);
  mkdirSync(join(stage.home, '.claude'), { recursive: true });
  for (const choice of ['claude-md-and-agents-md', 'managed-only']) {
    const settings = join(stage.home, '.claude', 'settings.json');
    writeFileSync(settings, JSON.stringify(choose(choice)));
    const heard = await hear(stage, files);
    expect({ choice, heard: heard.sort() }).toEqual({ choice, heard: await read(stage, choice) });
  }
});
