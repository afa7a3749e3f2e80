import { expect, test } from 'vitest';
import { readPrograms } from './program-starts.ts';

function record(name: string, user: number, system: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes[1] = 3;
  bytes.writeUInt16LE(user, 32);
  bytes.writeUInt16LE(system, 34);
  bytes.write(name, 48);
  return bytes;
}

test('the starts and the processor time of a program are added up', () => {
  const packed = (1 << 13) | 100;
  const records = [
    record('git', 2, 1),
    record('git-upload-pack', 0, 1),
    record('claude', packed, 0),
  ];
  expect(readPrograms(Buffer.concat(records))).toEqual([
    { name: 'claude', starts: 1, ms: 8000 },
    { name: 'git', starts: 2, ms: 40 },
  ]);
});
