import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempProject } from '../../../../test/rig/project/temp-project.ts';
import { buildPaths, messageFolder } from '../project/paths.ts';
import { leaveMessage, listMessages, removeMessage } from './message-box.ts';

test('messages keep their order, and each is taken once', async () => {
  await using project = await createTempProject();
  const paths = buildPaths(project.root);
  const say = (text: string) =>
    leaveMessage(paths, 'cart', { from: 'Ada', text, interrupts: false });
  const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`);
  const left = texts.map(say);
  expect(listMessages(paths, 'cart').map((it) => it.text)).toEqual(texts);
  expect(listMessages(paths, 'other')).toEqual([]);
  const [first] = left;
  expect(removeMessage(paths, 'cart', first?.id ?? '')).toBe(true);
  expect(removeMessage(paths, 'cart', first?.id ?? '')).toBe(false);
  expect(listMessages(paths, 'cart')).toHaveLength(11);
});

test('a file that is no message does not hide the others', async () => {
  await using project = await createTempProject();
  const paths = buildPaths(project.root);
  leaveMessage(paths, 'cart', { from: 'Ada', text: 'one', interrupts: false });
  writeFileSync(join(messageFolder(paths, 'cart'), '000000000000001-00000000.json'), '{');
  writeFileSync(join(messageFolder(paths, 'cart'), 'notes.txt'), 'x');
  expect(listMessages(paths, 'cart').map((it) => it.text)).toEqual(['one']);
});
