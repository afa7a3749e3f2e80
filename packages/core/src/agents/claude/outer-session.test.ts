import { expect, test } from 'vitest';
import { withoutOuterSession } from './outer-session.ts';

const SESSION = {
  CLAUDECODE: '1',
  CLAUDE_CODE_SESSION_ID: 's',
  CLAUDE_CODE_CHILD_NOTES_DIR: '/tmp/notes',
  CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: 'a,b',
  CLAUDE_CODE_SESSION_CREATED_AT_MS: '1',
  CLAUDE_CODE_WHATEVER_COMES_NEXT: 'x',
  CLAUDE_EFFORT: 'low',
  AI_AGENT: 'claude-code',
};
const PERSON = {
  PATH: '/bin',
  ANTHROPIC_API_KEY: 'k',
  CLAUDE_CONFIG_DIR: '/c',
  CLAUDE_CODE_TMPDIR: '/t',
  CLAUDE_CODE_OAUTH_TOKEN: 'o',
  CLAUDE_CODE_USE_BEDROCK: '1',
  CLAUDE_CODE_CLIENT_CERT: '/cert',
  CLAUDE_CODE_MAX_OUTPUT_TOKENS: '9',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_SUBAGENT_MODEL: 'haiku',
  CLAUDE_STREAM_IDLE_TIMEOUT_MS: '5',
  CLAUDE_CODE_SHELL: '/bin/zsh',
};

test('nothing of the session around it reaches a run, and what sets the client up does', () => {
  expect(withoutOuterSession({ ...SESSION, ...PERSON })).toEqual(PERSON);
  const { CLAUDECODE: _, ...unmarked } = SESSION;
  expect(withoutOuterSession({ ...unmarked, ...PERSON })).toEqual(PERSON);
});

test('outside of a session a person may set any variable of the client', () => {
  const env = { ...PERSON, CLAUDE_CODE_GIT_BASH_PATH: 'bash.exe', CLAUDE_EFFORT: 'low' };
  expect(withoutOuterSession(env)).toEqual(env);
});

test('what would tie a run to something else is removed everywhere', () => {
  const env = { CLAUDE_CODE_TASK_LIST_ID: 'l', CLAUDE_CODE_SIMPLE: '1', CLAUDE_CODE_SSE_PORT: '1' };
  expect(withoutOuterSession(env)).toEqual({});
});
