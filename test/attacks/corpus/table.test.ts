import { expect, test } from 'vitest';
import type { Mode } from './attack.ts';
import { loadTable, mergeTable } from './expected.ts';
import { judge } from './judge.ts';
import { SCENES } from './list.ts';

const ids = ['a', 'b'];

test('what was seen replaces what stood there, and attacks that are gone leave the table', () => {
  const old = { a: { off: 'SILENT', required: 'refused' }, gone: { off: 'refused' } } as const;
  const seen = { a: { off: 'undone' }, b: { off: 'refused' } } as const;
  expect(mergeTable(old, seen, { ids, maySilence: false })).toEqual({
    a: { off: 'undone', required: 'refused' },
    b: { off: 'refused' },
  });
});

test('nothing becomes SILENT by an update alone', () => {
  const old = { a: { off: 'SILENT', required: 'refused' } } as const;
  const seen = { a: { off: 'SILENT', required: 'SILENT' } } as const;
  const merge = (maySilence: boolean) => mergeTable(old, seen, { ids: ['a'], maySilence });
  expect(() => merge(false)).toThrow('These attacks would become SILENT: a (required).');
  expect(merge(true)).toEqual(seen);
});

test.each([
  ['SILENT', { stands: true }],
  ['noticed', { stands: true, isTold: true }],
  ['harmless', { stands: true, isHarmless: true }],
  ['allowed', { stands: true, isAllowed: true }],
  ['noticed', { stands: true, isTold: true, isHarmless: true }],
  ['undone', { isTold: true }],
  ['refused', {}],
  ['refused', { isDenied: true, isTold: true }],
])('%s', (verdict, finding) => {
  const none = {
    stands: false,
    isTold: false,
    isDenied: false,
    isHarmless: false,
    isAllowed: false,
  };
  expect(judge({ ...none, ...finding })).toBe(verdict);
});

test('with the sandbox nothing is SILENT, and what a setting allows names the setting', () => {
  const table = loadTable();
  const all = SCENES.flatMap(({ attacks }) => attacks);
  const silent = all.filter(({ id }) =>
    ['auto', 'required'].some((it) => table[id]?.[it as Mode] === 'SILENT'),
  );
  expect(silent.map(({ id }) => id)).toEqual([]);
  const allowed = all.filter(({ id }) => table[id]?.required === 'allowed');
  expect(allowed.filter(({ allowedBy }) => allowedBy === undefined)).toEqual([]);
});

test('every attack has an id of its own, and there are many', () => {
  const all = SCENES.flatMap(({ attacks }) => attacks.map(({ id }) => id));
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(60);
});
