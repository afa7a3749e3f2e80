import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { removeTree } from './remove-tree.ts';

const NOBODY = 65534;

/** Nothing is denied to root. */
function asNobody(folders: readonly string[], act: () => void): void {
  const isRoot = process.getuid?.() === 0;
  for (const folder of isRoot ? folders : []) chownSync(folder, NOBODY, NOBODY);
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('what is read-only goes, what is not there is fine, what is not ours is said', () => {
  using folder = createTempFolder();
  const own = join(folder.path, 'own');
  const inner = join(own, 'cache/module');
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(inner, 'a.go'), '');
  chmodSync(inner, 0o555);
  chmodSync(join(own, 'cache'), 0o555);
  asNobody([folder.path, own, join(own, 'cache'), inner], () => {
    removeTree(own);
    removeTree(own);
  });
  expect(existsSync(own)).toBe(false);
  if (process.getuid?.() !== 0) return;
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(inner, 'a'), '');
  asNobody([], () => {
    expect(() => removeTree(own)).toThrow(
      expect.objectContaining({ code: 'permission-denied', hint: expect.stringContaining(own) }),
    );
  });
});
