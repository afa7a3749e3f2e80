import { expect, test } from 'vitest';
import { buildEpicBody } from './epic-pull-request.ts';
import type { EpicItem } from './layout.ts';

test('the pull request of an epic closes the issues of its stories, and names nobody that a stranger names', () => {
  const item = (id: string, epic: string, kind: EpicItem['kind']) =>
    ({ id, epic, kind }) as EpicItem;
  const items = [
    item('cart', 'shop', 'story'),
    item('inner', 'shop', 'epic'),
    item('tax', 'inner', 'story'),
  ];
  const title = 'Fixes #3 for @ada';
  const views = ['cart', 'tax'].map((id) => ({ id, title, state: 'ready', pr: null }));
  const overview = { stories: views, epics: [] } as unknown as Parameters<typeof buildEpicBody>[3];
  const issues = new Map([['tax', 'https://github.com/acme/widgets/issues/12']]);
  const body = buildEpicBody('The goal.', items, 'shop', overview, issues);
  expect(body).toContain('- [ ] **cart** Fixes #3 for @ada (ready)');
  expect(body).toContain('  - [ ] **tax** Fixes #\u200b3 for @\u200bada (ready)');
  expect(body).toMatch(/\n\nCloses #12$/);
});
