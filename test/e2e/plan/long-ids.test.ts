import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createProject } from '../../rig/project/project.ts';

const LONG = 'an-id-of-sixty-four-characters-which-is-the-most-that-saga-allow';

test('a long id is cut in a terminal of 80 columns, and the other rows keep their states', async () => {
  using it = createProject();
  it.story(LONG, { title: 'A long story', epic: 'shop' });
  it.story('cart', { title: 'Cart', epic: 'shop' });
  it.story('pay', { title: 'Pay', epic: 'shop' });
  it.epic('shop', { cart: [], pay: ['cart'], [LONG]: [] });
  it.git('branch', `story/${LONG}`);
  it.git('branch', 'story/cart');
  const saga = async (words: string, columns?: string) => {
    const env = { ...it.env, ...(columns === undefined ? {} : { COLUMNS: columns }) };
    return (await runProgram(SAGA, words.split(' '), { cwd: it.root, env })).stdout;
  };
  await saga(`reset ${LONG} --yes`);
  await saga('reset cart --yes');
  for (const [words, other] of [
    ['list', /^◌ pay .*waits for cart: ready$/m],
    ['status', /^ +◌ pay .*waits for cart: ready$/m],
    ['trash list', /^cart .* reset .*\/\d+$/m],
  ] as const) {
    const narrow = await saga(words, '80');
    const wide = narrow.split('\n').filter((line) => line.length > 80);
    expect({ words, wide }).toEqual({ words, wide: [] });
    expect(narrow).toMatch(/an-id-of-sixty-four-[a-z-]*…/);
    expect(narrow).not.toContain(LONG);
    expect(narrow).toMatch(other);
    expect(await saga(words)).toContain(LONG);
    expect(await saga(`${words} --json`, '80')).toContain(LONG);
  }
});
