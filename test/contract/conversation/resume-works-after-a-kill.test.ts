import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { bash, update } from '../support/tasks-call-tools.ts';

const ID = '3f0e8a52-6f0b-4d8c-9a51-0d3f1c2b4a69';

contract(
  'a session killed in the middle of a tool call can be resumed, and knows what came before',
  {},
  async (stage) => {
    const { code, init, result, conversation } = await killAndResume(stage);
    expect(code).toBe(0);
    expect(init?.session_id).toBe(ID);
    expect(result).toMatchObject({ is_error: false, result: 'I go on.' });
    expect(conversation?.prompt).toBe('Go on.');
    expect(conversation?.calls[0]).toMatchObject({
      tool: 'TaskUpdate',
      result: { text: 'Updated task #a status', isError: false },
    });
    expect(stage.readTask('a').status).toBe('in_progress');
  },
);

contract(
  'the call in which a session was killed is told as interrupted',
  { since: '2.1.281' },
  async (stage) => {
    const { conversation } = await killAndResume(stage);
    expect(conversation?.calls.map(({ tool }) => tool)).toEqual(['TaskUpdate', 'Bash']);
    expect(conversation?.calls[1]?.result?.isError).toBe(true);
    expect(conversation?.calls[1]?.result?.text).toMatch(
      /^\[Tool call interrupted: the session ended before this call's result was recorded/,
    );
  },
);

contract(
  'the call in which a session was killed is forgotten',
  { until: '2.1.265' },
  async (stage) => {
    const { conversation } = await killAndResume(stage);
    expect(conversation?.calls.map(({ tool }) => tool)).toEqual(['TaskUpdate']);
  },
);

function readTranscript({ home }: Stage): string {
  const projects = join(home, '.claude', 'projects');
  const names = readdirSync(projects, { recursive: true, encoding: 'utf8' });
  const file = names.find((name) => name.endsWith(`${ID}.jsonl`)) ?? '';
  return readFileSync(join(projects, file), 'utf8');
}

async function killAndResume(stage: Stage) {
  stage.writeTask('a');
  const begun = join(stage.repo, 'begun');
  const stop = join(stage.repo, 'stop');
  // The kill orphans what Bash has started, so it has an end of its own.
  const wait = `for i in $(seq 3000); do [ -e '${stop}' ] && break; sleep 0.1; done`;
  const { child, ended } = await stage.start({
    args: ['--session-id', ID],
    turns: [
      { calls: [update('a', { status: 'in_progress' })] },
      { calls: [bash(`touch '${begun}'; ${wait}`)] },
    ],
  });
  await expect.poll(() => existsSync(begun)).toBe(true);
  // The transcript is written a moment after the call begins; what it lacks nobody can resume.
  await expect.poll(() => readTranscript(stage)).toContain(begun);
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL', result: undefined });
  writeFileSync(stop, '');
  const turns = [{ text: 'I go on.' }];
  const run = await stage.run({ args: ['--resume', ID], prompt: 'Go on.', turns });
  const { conversation } = run.model.requests.find(({ kind }) => kind === 'turn') ?? {};
  return { ...run, conversation };
}
