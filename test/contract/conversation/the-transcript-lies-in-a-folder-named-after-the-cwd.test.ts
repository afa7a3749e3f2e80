import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

const ID = '3f0e8a52-6f0b-4d8c-9a51-0d3f1c2b4a69';

contract(
  'the transcript is <config>/projects/<cwd, with - for what is no letter or digit>/<session>.jsonl',
  {},
  async (stage) => {
    await stage.run({ args: ['--session-id', ID], prompt: 'WORDS', turns: [{ text: 'ANSWER' }] });
    const project = stage.repo.replace(/[^a-zA-Z0-9]/g, '-');
    const path = join(stage.home, '.claude', 'projects', project, `${ID}.jsonl`);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const said = lines
      .map((line) => JSON.parse(line))
      .filter((it) => ['user', 'assistant'].includes(it.type));
    expect(said.map((it) => it.type)).toEqual(['user', 'assistant']);
    expect(said[0]?.message.content).toBe('WORDS');
    expect(said[1]?.message.content).toEqual([{ type: 'text', text: 'ANSWER' }]);
    expect(said.map((it) => it.sessionId)).toEqual([ID, ID]);
  },
);
