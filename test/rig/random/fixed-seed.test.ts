import { assert, integer, property, readConfigureGlobal } from 'fast-check';
import { expect, test } from 'vitest';
import { SEED } from './seed.ts';

test('properties are tried with the same values at every run', () => {
  const draw = () => {
    const values: number[] = [];
    void assert(property(integer(), (value) => void values.push(value)));
    return values;
  };
  expect(readConfigureGlobal().seed).toBe(SEED);
  expect(draw()).toEqual(draw());
});
