import { join } from 'node:path';
import { loadAgreed } from '@saga-ai/core/trust/trust-record';
import type { PlanDocumentAnswer, SaveAnswer } from '@saga-ai/types/screens/planning';
import { expect, test } from 'vitest';
import { createPlan } from '../../rig/project/plan.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';

test('who saves a plan agrees to the verify commands that they changed, and to no other', async () => {
  using plan = createPlan();
  plan.story('brought', { title: 'Brought', verify: './evil', epic: 'shop' });
  plan.story('own', { title: 'Own', verify: './evil-too', epic: 'shop' });
  plan.epic('shop', { brought: [], own: [] }, { title: 'Shop' });
  const env = { PATH: process.env.PATH, HOME: join(plan.root, 'home') };
  await using it = await openDashboard({ paths: plan.paths, env });
  const save = async (change: (text: string) => string) => {
    const { text, version } = await it.json<PlanDocumentAnswer>('/api/plan/items/shop');
    const answer = await it.act('/api/plan/items/shop', {
      content: { text: change(text) },
      version,
    });
    expect(answer).toMatchObject({ status: 200 });
    return JSON.parse(answer.text) as SaveAnswer;
  };
  const agreed = () => JSON.stringify(loadAgreed(plan.paths, env));
  await save((text) => text.replace('About own.', 'All about own.'));
  expect(agreed()).not.toContain('evil');
  expect(agreed()).toBe('{}');
  await save((text) => text.replace('./evil-too', 'npm test'));
  expect(Object.keys(loadAgreed(plan.paths, env))).not.toEqual([]);
  expect(agreed()).toContain('own');
  expect(agreed()).not.toContain('brought');
});

test('a save that names an older version changes nothing and answers with the newer plan', async () => {
  using plan = createPlan();
  plan.story('cart', { title: 'Cart' });
  await using it = await openDashboard({ paths: plan.paths });
  const { text, version } = await it.json<PlanDocumentAnswer>('/api/plan/items/cart');
  plan.story('cart', { title: 'Basket' });
  const body = { content: { text: text.replace('About', 'All about') }, version };
  const answer = await it.act('/api/plan/items/cart', body);
  expect(JSON.parse(answer.text)).toMatchObject({ saved: false, newer: { title: 'Basket' } });
  expect(plan.read('.saga/stories/cart/story.json')).toContain('About cart.');
  const newer = await it.json<PlanDocumentAnswer>('/api/plan/items/cart');
  const [one, two] = await Promise.all(
    ['One.', 'Two.'].map(async (words) => {
      const content = { text: newer.text.replace('About cart.', words) };
      const sent = await it.act('/api/plan/items/cart', { content, version: newer.version });
      return (JSON.parse(sent.text) as SaveAnswer).saved;
    }),
  );
  // Of two that began with the same plan, one is saved.
  expect([one, two].filter(Boolean)).toHaveLength(1);
});
