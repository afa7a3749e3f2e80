import { walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const TOLD = 'ended with code 5';
/** Over before it is told, so that nobody has to wait for it. */
const LIMIT = { status: 400, message: 'Claude AI usage limit reached|1000000000' };

test('a run that a usage limit turned away was told nothing: the failure is told to the next one', async () => {
  const walk = walkTasks();
  const command = 'echo mended > fixed.txt && git add -A && git commit -q -m "Mend it"';
  await using it = await createWorkshop({
    model: {
      policy: (conversation) => {
        if (!conversation.prompt.includes(TOLD)) return walk(conversation);
        // The client asks again within a run, so the whole second run is turned away.
        if (countRuns() === 2) return { fault: LIMIT };
        return conversation.calls.length > 0
          ? { text: 'Mended.' }
          : { calls: [{ tool: 'Bash', input: { command } }] };
      },
    },
  });
  const countRuns = () => it.events().filter((event) => event.type === 'run:start').length;
  it.story('x', { verify: 'test -f fixed.txt || exit 5' }, { a: {} });
  const { code, stdout } = await it.saga(['worker', 'x']);
  expect({ code, runs: countRuns() }).toEqual({ code: 0, runs: 3 });
  expect(stdout).toContain('gate passed');
  expect(it.events().filter((event) => event.type === 'gate:failed')).toHaveLength(1);
});
