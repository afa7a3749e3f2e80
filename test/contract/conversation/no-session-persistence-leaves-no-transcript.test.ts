import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';

const ID = '3f0e8a52-6f0b-4d8c-9a51-0d3f1c2b4a69';

contract(
  '--no-session-persistence leaves no transcript, and nothing to resume',
  {},
  async (stage) => {
    const turns = [{ text: 'Done.' }];
    const args = ['--session-id', ID, '--no-session-persistence'];
    const run = await stage.run({ args, turns });
    expect(run.result).toMatchObject({ session_id: ID, is_error: false });
    expect(findTranscripts(stage)).toEqual([]);
    const resumed = await stage.run({ args: ['--resume', ID], turns });
    expect(resumed.code).toBe(1);
    expect(resumed.result?.errors).toEqual([`No conversation found with session ID: ${ID}`]);
    await stage.run({ turns });
    expect(findTranscripts(stage)).toHaveLength(1);
  },
);

function findTranscripts({ home }: Stage): string[] {
  const names = readdirSync(join(home, '.claude'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.jsonl'));
}
