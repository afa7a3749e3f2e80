import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

const MISTAKES = [
  { what: 'a flag nobody knows', args: ['--nonsense'], says: "unknown option '--nonsense'" },
  {
    what: 'a session id that is no uuid',
    args: ['--session-id', 'x'],
    says: 'Must be a valid UUID',
  },
];

for (const { what, args, says } of MISTAKES) {
  contract(`${what} exits 1 with words on stderr and no event`, {}, async (stage) => {
    const { code, stdout, stderr } = await stage.run({ args, turns: [] });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
  });
}
