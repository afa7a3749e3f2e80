import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';

const HELPER = { apiKeyHelper: 'echo key' };

async function askStatus(stage: Stage, settings: object, env: Record<string, string> = {}) {
  writeFileSync(join(stage.home, '.claude', 'settings.json'), JSON.stringify(HELPER));
  const lead = ['--setting-sources', 'project', '--settings', JSON.stringify(settings)];
  const noKey = { ANTHROPIC_API_KEY: '' };
  const { stdout } = await stage.command([...lead, 'auth', 'status'], { ...noKey, ...env });
  const { loggedIn, authMethod } = JSON.parse(stdout);
  return { loggedIn, authMethod };
}

contract(
  'auth status knows an apiKeyHelper of --settings, and under --setting-sources project none of the user',
  { since: '2.1.100' },
  async (stage) => {
    expect(await askStatus(stage, HELPER)).toEqual({
      loggedIn: true,
      authMethod: 'api_key_helper',
    });
    expect(await askStatus(stage, {})).toEqual({ loggedIn: false, authMethod: 'none' });
    const bedrock = { CLAUDE_CODE_USE_BEDROCK: '1' };
    expect(await askStatus(stage, {}, bedrock)).toMatchObject({ loggedIn: true });
    // With a key in a variable nobody needs to ask.
    for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']) {
      expect(await askStatus(stage, {}, { [name]: 'key' })).toMatchObject({ loggedIn: true });
    }
  },
);
