import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FLEET_ROWS } from './rows.ts';

test('every row of the fleet in docs/reliability.md is played by one test', () => {
  const texts = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
  const titles = texts.flatMap((text) => text.match(/\btitleOf\([^)]+\)/g) ?? []);
  const played = titles.flatMap((title) => [...title.matchAll(/'([^']+)'/g)].map(([, id]) => id));
  expect(played.toSorted()).toEqual(Object.keys(FLEET_ROWS).toSorted());
});
