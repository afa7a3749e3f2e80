import { expect, test } from 'vitest';
import { fromBeads } from './from-beads.ts';
import { fromTaskLists } from './from-task-lists.ts';

test('each part of an old plan is mapped to what it became', () => {
  const beads = [
    { id: 'b-1', title: 'Shop', issue_type: 'epic' },
    { id: 'b-1.1', title: 'Cart' },
    { id: 'b-1.1.1', title: 'Model' },
  ];
  const text = beads.map((it) => JSON.stringify(it)).join('\n');
  expect(fromBeads([{ path: '.beads/issues.jsonl', text }]).mapped).toEqual([
    { kind: 'epic', from: 'b-1', to: 'epic shop' },
    { kind: 'task', from: 'b-1.1.1', to: 'task cart/model' },
    { kind: 'story', from: 'b-1.1', to: 'story cart' },
  ]);
  const lists = [
    { path: '.saga/tasks/cart/tasklist.json', text: JSON.stringify({ title: 'Cart' }) },
    {
      path: '.saga/tasks/cart/model.json',
      text: JSON.stringify({ id: 'model', subject: 'Model' }),
    },
  ];
  expect(fromTaskLists(lists).mapped).toEqual([
    { kind: 'task', from: '.saga/tasks/cart/model.json', to: 'task model' },
    { kind: 'story', from: '.saga/tasks/cart/tasklist.json', to: 'story cart' },
  ]);
});
