import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

const ID = '3f0e8a52-6f0b-4d8c-9a51-0d3f1c2b4a69';
const turns = [{ text: 'One.' }];

contract('--session-id is the id of every event', {}, async (stage) => {
  const { events, init, result } = await stage.run({ args: ['--session-id', ID], turns });
  expect(init?.session_id).toBe(ID);
  expect(result?.session_id).toBe(ID);
  expect([...new Set(events.map((it) => it.session_id))]).toEqual([ID]);
});

contract('a session id that is in use is refused before anything happens', {}, async (stage) => {
  await stage.run({ args: ['--session-id', ID], turns });
  const again = await stage.run({ args: ['--session-id', ID], turns });
  expect(again.code).toBe(1);
  expect(again.stdout).toBe('');
  expect(again.stderr).toBe(`Error: Session ID ${ID} is already in use.\n`);
  expect(again.model.requests.filter(({ kind }) => kind === 'turn')).toEqual([]);
});

contract('a session id that is no uuid is refused', {}, async (stage) => {
  const refused = await stage.run({ args: ['--session-id', 'my-story-1'], turns });
  expect(refused.code).toBe(1);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toBe('Error: Invalid session ID. Must be a valid UUID.\n');
});
