import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureFreeSpace } from './free-space.ts';

test('the disk of a folder that does not exist yet is that of the folder in which it will be', () => {
  const { bytes, told } = measureFreeSpace(join(tmpdir(), 'no', 'such', 'folder'));
  expect(bytes).toBeGreaterThan(0);
  expect(told).toMatch(/^\d+ [MG]B$/);
});
