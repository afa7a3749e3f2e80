import { expect, test } from 'vitest';
import { layOut } from '../layout.ts';
import type { Candidate, Standing } from '../schedule.ts';
import { forecast } from './forecast.ts';

const epic = (id: string, children: Record<string, string[]>) => ({
  id,
  title: id,
  description: '',
  children: Object.entries(children).map(([child, blockedBy]) => ({ id: child, blockedBy })),
});

const SHOP = new Map(
  [
    epic('shop', { model: [], api: ['model'], checkout: ['model'], pay: ['api', 'checkout'] }),
    epic('checkout', { form: [], mail: ['form'] }),
  ].map((it) => [it.id, it]),
);
const WRITES: Record<string, string[]> = { api: ['src/**'], form: ['src/form.ts'] };

const candidates = (standings: Record<string, Standing> = {}): Candidate[] =>
  layOut('shop', SHOP, (id) => WRITES[id] ?? []).map((it) => ({
    ...it,
    standing: standings[it.id] ?? 'open',
  }));

test('an epic is laid out with everything inside it, which waits for what the inner epic waits for', () => {
  expect(candidates().map(({ id, kind, epic: of, needs }) => [id, kind, of, needs])).toEqual([
    ['model', 'story', 'shop', []],
    ['api', 'story', 'shop', ['model']],
    ['checkout', 'epic', 'shop', ['model']],
    ['form', 'story', 'checkout', ['model']],
    ['mail', 'story', 'checkout', ['model', 'form']],
    ['pay', 'story', 'shop', ['api', 'checkout']],
  ]);
});

test('levels, the critical path and what overlaps', () => {
  const { levels, criticalPath, overlaps, timeline } = forecast(candidates(), 3);
  expect(levels).toEqual([['model'], ['api', 'form'], ['mail'], ['pay']]);
  expect(criticalPath).toEqual(['model', 'form', 'mail', 'pay']);
  expect(overlaps).toEqual([['api', 'form']]);
  // api waits until form is merged, beside mail.
  expect(timeline).toEqual([
    { id: 'model', from: 0, to: 1 },
    { id: 'form', from: 1, to: 2 },
    { id: 'api', from: 2, to: 3 },
    { id: 'mail', from: 2, to: 3 },
    { id: 'pay', from: 3, to: 4 },
  ]);
});

test('what is merged is left out, and experience becomes time and dollars', () => {
  const known = { stories: 5, minutes: 10, usd: 0.5 };
  const { levels, estimate } = forecast(candidates({ model: 'merged', form: 'merged' }), 2, known);
  expect(levels).toEqual([['api', 'mail'], ['pay']]);
  expect(estimate).toEqual({ minutes: 20, usd: 1.5, basedOn: 5 });
  expect(forecast(candidates(), 2).estimate).toBeUndefined();
});

test('a thousand stories take no time', () => {
  const children = Object.fromEntries(
    Array.from({ length: 1000 }, (_, i) => [`s${i}`, i < 10 ? [] : [`s${i - 10}`, `s${i - 7}`]]),
  );
  const big = new Map([['big', epic('big', children)]]);
  const all = layOut('big', big).map((it): Candidate => ({ ...it, standing: 'open' }));
  expect(forecast(all, 8).levels.flat()).toHaveLength(1000);
});
