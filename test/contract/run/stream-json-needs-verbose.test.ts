import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

contract('stream-json without --verbose is refused', {}, async (stage) => {
  const { code, stdout, stderr, model } = await stage.run({
    bareArgs: ['-p', '--output-format', 'stream-json'],
    turns: [],
  });
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('--output-format=stream-json requires --verbose');
  expect(model.requests.filter((request) => request.kind === 'turn')).toEqual([]);
});
