import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { turnsOf } from '../support/outcome-of-run.ts';

const STREAM = ['-p', '--output-format', 'stream-json', '--verbose'];

contract('a prompt argument that starts with a dash is an unknown option', {}, async (stage) => {
  const { code, stdout, stderr } = await stage.run({
    bareArgs: [...STREAM, '- first point'],
    prompt: '',
    turns: [],
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain("error: unknown option '- first point'");
});

contract('a prompt argument behind a list of tools is taken for a tool', {}, async (stage) => {
  const { code, stderr } = await stage.run({
    bareArgs: [...STREAM, '--allowedTools', 'Bash', 'Do the work.'],
    prompt: '',
    turns: [],
  });
  expect(code).toBe(1);
  expect(stderr).toContain('Input must be provided');
});

contract('a prompt argument and standard input are joined', {}, async (stage) => {
  const { model } = await stage.run({
    bareArgs: ['-p', 'From the argument.', ...STREAM.slice(1)],
    prompt: 'From the input.',
    turns: [{ text: 'Done.' }],
  });
  const [first] = turnsOf(model);
  expect(JSON.stringify(first?.body)).toContain('From the argument.\\nFrom the input.');
});
