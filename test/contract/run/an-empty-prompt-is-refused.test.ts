import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

contract('an empty prompt ends the run before it begins', {}, async (stage) => {
  const { code, stdout, stderr, model } = await stage.run({ prompt: '', turns: [] });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(
    'Input must be provided either through stdin or as a prompt argument when using --print',
  );
  expect(model.requests.filter((request) => request.kind === 'turn')).toEqual([]);
});
