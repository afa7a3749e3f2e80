import { expect, test } from 'vitest';
import { Aside } from './aside.ts';

test('the newest of each kind is done, one after the other, and an error stops nothing', async () => {
  const aside = new Aside();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const piece = (name: string, before?: Promise<void>) => async () => {
    await before;
    done.push(name);
  };
  aside.set('look', piece('look 1', first.promise));
  await Promise.resolve();
  await Promise.resolve();
  aside.set('write', async () => {
    throw new Error('The network is gone.');
  });
  aside.set('look', piece('look 2'));
  aside.set('write', piece('write 2'));
  aside.set('look', piece('look 3'));
  expect(done).toEqual([]);
  first.resolve();
  await aside.settled();
  expect(done.toSorted()).toEqual(['look 1', 'look 3', 'write 2']);
  aside.set('look', piece('look 4'));
  await aside.settled();
  expect(done.at(-1)).toBe('look 4');
});
