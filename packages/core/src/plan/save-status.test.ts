import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { saveStatus } from './save-status.ts';

test('a task file that begins with a byte order mark is one like any other', async () => {
  using plan = createPlan();
  plan.story('cart', {}, { one: {} });
  const path = '.saga/stories/cart/one.json';
  const text = readFileSync(join(plan.root, path), 'utf8');
  plan.write(path, `\ufeff${text}`);
  expect(await saveStatus(plan.paths, 'cart', 'one', 'completed')).toBe('changed');
  expect(readFileSync(join(plan.root, path), 'utf8')).toBe(
    text.replace('"pending"', '"completed"'),
  );
});
