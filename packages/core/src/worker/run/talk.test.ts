import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { leaveMessage } from '../../messages/message-box.ts';
import { messageFolder } from '../../project/paths.ts';
import { createEmit } from '../session-log.ts';
import { People } from './hear-people.ts';
import { Talk } from './talk.ts';

test('messages that cannot be read are told once, and the run goes on and ends', () => {
  using it = createProject();
  it.story('x');
  const folder = messageFolder(it.paths, 'x');
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(folder, 'no folder\n');
  const { talk, events, written } = openTalk(it);

  talk.begin('work');
  talk.deliver();
  talk.turnEnded();
  expect(events).toMatchObject([
    { type: 'messages:failed', reason: expect.stringContaining(folder) },
  ]);
  expect(written).toEqual(['message work', 'closed']);
});

test('messages reach the run once the folder can be read again', () => {
  using it = createProject();
  it.story('x');
  const folder = messageFolder(it.paths, 'x');
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(folder, 'no folder\n');
  const { talk, events, written } = openTalk(it);
  talk.begin('work');
  talk.deliver();
  rmSync(folder);
  leaveMessage(it.paths, 'x', { from: 'ada', text: 'use tabs', interrupts: false });
  talk.deliver();
  expect(written.at(-1)).toContain('use tabs');
  expect(events.map(({ type }) => type)).toEqual(['messages:failed', 'message:sent']);
});

function openTalk(it: ReturnType<typeof createProject>) {
  const events: RunEvent[] = [];
  const written: string[] = [];
  const talk = new Talk({
    wire: { message: (_, text) => `message ${text}`, interrupt: () => 'interrupt' },
    program: {
      write: (line) => void written.push(line),
      closeInput: () => void written.push('closed'),
      hasEnded: () => false,
    },
    source: new People(it.worker()),
    emit: createEmit((event) => void events.push(event)),
  });
  return { talk, events, written };
}
