import { Config } from '@saga-ai/types/config';
import { expect, test } from 'vitest';
import { chooseBaseBranch, readBaseRule } from './choose-base-branch.ts';

const all = () => true;

test.each([
  ['no epic around: the default branch', {}, [], all, {}],
  ['the nearest epic', {}, ['cart', 'shop'], all, { name: 'epic/cart', epic: 'cart' }],
  [
    'the nearest epic that has a branch',
    ...[{}, ['cart', 'shop'], (id: string) => id === 'shop', { name: 'epic/shop', epic: 'shop' }],
  ],
  ['no epic with a branch: the default branch', {}, ['shop'], () => false, {}],
  [
    'what a person configured, also if it is called like an epic’s branch',
    ...[{ worktree: { baseBranch: 'epic/shop' } }, ['cart'], all, { name: 'epic/shop' }],
  ],
  ['epics without a branch of their own', { epic: { integrate: 'review' } }, ['cart'], all, {}],
] as [string, object, string[], (id: string) => boolean, object][])(
  '%s',
  (_, config, around, hasBranch, base) => {
    const rule = readBaseRule(Config.parse(config));
    expect(chooseBaseBranch(rule, around, hasBranch)).toEqual(base);
  },
);
