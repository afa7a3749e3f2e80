import { appendFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { LineSplitter, readLastLines, readLineWindow, readOn } from './lines.ts';

const SEED = { seed: 20260115, numRuns: 300 };
const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 20 });

test('lines are the same wherever the bytes are cut', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(400)), (lines, cuts) => {
      const text = lines.join('\n');
      const bytes = Buffer.from(text);
      const places = [...new Set([0, ...cuts.filter((at) => at < bytes.length), bytes.length])];
      places.sort((a, b) => a - b);
      const splitter = new LineSplitter();
      // One buffer for all chunks, as a reader of a file has.
      const shared = Buffer.alloc(bytes.length);
      const found = places.slice(1).flatMap((end, i) => {
        const size = bytes.copy(shared, 0, places[i], end);
        return splitter.add(shared.subarray(0, size));
      });
      expect([...found, splitter.rest()]).toEqual(text.split('\n'));
    }),
    SEED,
  );
});

test('the last lines of a file, the one that is not finished left out', () => {
  using folder = createTempFolder();
  const file = join(folder.path, 'log');
  const long = 'ä'.repeat(400_000);
  for (const [text, wanted, lines] of [
    ['', 2, []],
    ['half', 2, []],
    ['a\nb\nc\nhalf', 2, ['b', 'c']],
    ['a\nb\n', 5, ['a', 'b']],
    [`a\n${long}\nc\n${long}`, 2, [long, 'c']],
    [`${long}\n${long}\n`, 1, [long]],
    ['\n'.repeat(600_000), 2, ['', '']],
  ] as const) {
    writeFileSync(file, text);
    const end = Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1));
    expect(readLastLines(file, wanted)).toEqual({ lines, end });
  }
});

test('what was added is read on, up to the last whole line; a line beyond the limit is passed over', async () => {
  using folder = createTempFolder();
  const file = join(folder.path, 'log');
  const read = async (from: number, longest: number) => {
    await using handle = await open(file);
    const { size } = await handle.stat();
    let text = '';
    let to = from;
    for await (const part of readOn(handle, from, size, longest)) {
      text += part.lines.toString();
      to = part.to;
    }
    return { text, to };
  };
  writeFileSync(file, 'one\ntwo\nhal');
  expect(await read(0, 64)).toEqual({ text: 'one\ntwo\n', to: 8 });
  expect(await read(0, 5)).toEqual({ text: 'one\ntwo\n', to: 8 });
  appendFileSync(file, 'f\nthree\n');
  expect(await read(8, 64)).toEqual({ text: 'half\nthree\n', to: 19 });
  expect(await read(19, 64)).toEqual({ text: '', to: 19 });
  writeFileSync(file, `${'x'.repeat(20)}\nshort\n`);
  expect((await read(0, 8)).text).toMatch(/\nshort\n$/);
});

test('any window gives whole lines, and windows one after the other give all', async () => {
  using folder = createTempFolder();
  const file = join(folder.path, 'log');
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 60 }), async (lines, bytes) => {
      const text = `${lines.join('\n')}\n`;
      writeFileSync(file, text);
      await using handle = await open(file);
      const { size } = await handle.stat();
      let all = '';
      for (let at = 0; at < size; ) {
        const end = Math.min(at + bytes, size);
        const window = await readLineWindow(handle, [at, end], size, size);
        expect(window.from).toBe(at);
        expect(window.to).toBeGreaterThan(at);
        all += window.lines.toString();
        at = window.to;
      }
      expect(all).toBe(text);
    }),
    { ...SEED, numRuns: 100 },
  );
});
