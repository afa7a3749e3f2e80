import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createBegunStory } from '../../rig/project/begun-story.ts';

test('reset says first that the remote still has the branch, and how to remove it there', async () => {
  using it = createBegunStory();
  it.git('push', '-q', 'origin', 'story/x');
  const reset = async () => {
    const { code, stdout } = await runProgram(SAGA, ['reset', 'x', '--yes'], {
      ...{ cwd: it.root, env: it.env },
    });
    return { code, lines: stdout.split('\n') };
  };
  const first = await reset();
  expect(first.code).toBe(0);
  expect(first.lines.slice(0, 4)).toEqual([
    '! x is reset here, but the remote still has its branch',
    '  remote   origin/story/x is still there, and the next run goes on from it.',
    '           To begin anew: git push origin --delete story/x',
    '  removed  ../project.stories/x, story/x',
  ]);
  expect(it.git('ls-remote', 'origin', 'story/x')).not.toBe('');
  it.git('push', '-q', 'origin', '--delete', 'story/x');
  const second = await reset();
  expect(second.code).toBe(0);
  expect(second.lines[0]).toBe('✓ x is as it was before its first run');
  expect(second.lines.join('\n')).not.toContain('remote');
});
