import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { bash, findAnswers, misbehave } from '../../rig/worker/misbehave.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

contract(
  'a whole story is carried to its pull request, and its guard denies what it should',
  {},
  async () => {
    const outside = "outside this story's worktree";
    const trials = [
      { tool: 'Write', input: { file_path: 'inside.txt', content: 'x' } },
      { tool: 'Write', input: { file_path: '../outside.txt', content: 'x' } },
      // Until 2.1.200 a client refuses by itself to write what it has not read.
      { tool: 'Read', input: { file_path: '.saga/stories/cart/story.json' } },
      { tool: 'Write', input: { file_path: '.saga/stories/cart/story.json', content: '{}' } },
      { tool: 'TaskUpdate', input: { taskId: 'one', status: 'deleted' } },
      bash('git push origin HEAD'),
      bash('echo "{}" > .saga/config.json && echo "{ }" >> .saga/config.json'),
    ];
    await using it = await createWorkshop({ model: { policy: misbehave(trials) } });
    it.story('cart', {}, { one: {}, two: { blockedBy: ['one'] } });
    const ended = await it.saga(['worker', 'cart']);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('gate passed') });

    expect(findAnswers(it, trials.length)).toEqual([
      { isError: false, text: expect.anything() },
      { isError: true, text: expect.stringContaining(outside) },
      { isError: false, text: expect.stringContaining('Story cart') },
      { isError: true, text: expect.stringContaining('only a person changes it') },
      { isError: true, text: expect.stringContaining('cannot be deleted') },
      { isError: true, text: expect.stringContaining('SAGA pushes the branch itself') },
      { isError: false, text: expect.any(String) },
    ]);
    expect(existsSync(join(it.root, '../project.stories/cart/inside.txt'))).toBe(true);
    expect(existsSync(join(it.root, '../project.stories/outside.txt'))).toBe(false);
    const restored = it.events().find(({ type }) => type === 'definitions:restored');
    expect(restored).toMatchObject({ files: ['.saga/config.json'] });
    expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
    expect(it.github.pulls).toMatchObject([{ isDraft: false }]);
  },
);
