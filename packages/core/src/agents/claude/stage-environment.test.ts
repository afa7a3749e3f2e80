import { expect, test } from 'vitest';
import { stageEnvironment, stageVariables } from './stage-environment.ts';

const STAGE = { modelUrl: 'http://127.0.0.1:5', home: { config: '/t/claude' }, temp: '/t/temp' };

test.each([
  'ANTHROPIC_FOUNDRY_RESOURCE',
  'ANTHROPIC_MODEL',
  'ANTHROPIC_VERTEX_PROJECT_ID',
  'CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR',
  'CLAUDE_CODE_HOST_CREDS_FILE',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_REMOTE',
  'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
  'CLAUDE_CODE_USE_CCR_V2',
])('%s does not reach a rehearsal', (name) => {
  expect(stageEnvironment({ [name]: 'x' }, STAGE)).not.toHaveProperty(name);
});

test.each([
  'AWS_PROFILE',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  'GIT_CONFIG_COUNT',
  'HOME',
  'HTTPS_PROXY',
  'PATH',
])('%s does', (name) => {
  expect(stageEnvironment({ [name]: 'x' }, STAGE)).toMatchObject({ [name]: 'x' });
});

test('the client is pointed at the scripted model, and keeps its things apart', () => {
  const mine = {
    ANTHROPIC_BASE_URL: 'https://api.example.org',
    ANTHROPIC_API_KEY: 'sk-mine',
    ANTHROPIC_AUTH_TOKEN: 'mine',
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDE_CONFIG_DIR: '/home/me/.claude',
    CLAUDE_CODE_TMPDIR: '/home/me/tmp',
  };
  expect(stageEnvironment(mine, STAGE)).toMatchObject({
    ANTHROPIC_BASE_URL: STAGE.modelUrl,
    ANTHROPIC_API_KEY: 'scripted',
    ANTHROPIC_AUTH_TOKEN: '',
    CLAUDE_CODE_USE_BEDROCK: '0',
    CLAUDE_CONFIG_DIR: STAGE.home.config,
    CLAUDE_CODE_TMPDIR: STAGE.temp,
  });
});

test('all providers are off and nothing is reported, for settings could switch them on', () => {
  expect(stageVariables({}, STAGE)).toMatchInlineSnapshot(`
    {
      "ANTHROPIC_API_KEY": "scripted",
      "ANTHROPIC_AUTH_TOKEN": "",
      "ANTHROPIC_BASE_URL": "http://127.0.0.1:5",
      "ANTHROPIC_CUSTOM_HEADERS": "",
      "ANTHROPIC_UNIX_SOCKET": "",
      "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
      "CLAUDE_CODE_ENABLE_TELEMETRY": "0",
      "CLAUDE_CODE_MAX_RETRIES": "2",
      "CLAUDE_CODE_USE_ANTHROPIC_AWS": "0",
      "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD": "0",
      "CLAUDE_CODE_USE_BEDROCK": "0",
      "CLAUDE_CODE_USE_FOUNDRY": "0",
      "CLAUDE_CODE_USE_GATEWAY": "0",
      "CLAUDE_CODE_USE_MANTLE": "0",
      "CLAUDE_CODE_USE_VERTEX": "0",
      "DISABLE_AUTOUPDATER": "1",
      "NO_PROXY": "127.0.0.1,localhost,::1",
      "no_proxy": "127.0.0.1,localhost,::1",
    }
  `);
});
