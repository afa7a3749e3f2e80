import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { command, hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

contract('PostToolUse with exit 2 tells the model, but the write stands', {}, async (stage) => {
  const settings = hooksOn('PostToolUse', command('echo please format it >&2; exit 2'));
  const { written, model } = await runWrite(stage, { settings });
  expect(written).toBe(true);
  const last = model.requests.filter((request) => request.kind === 'turn').at(-1);
  expect(JSON.stringify(last?.body)).toContain('please format it');
});
