import { knownSettings } from '@saga-ai/core/agents/claude/account/account-settings';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { hooksOn, REFUSES } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

contract(
  'settings of an account that the version is given leave its hooks on',
  {},
  async (stage) => {
    const settings = {
      apiKeyHelper: 'echo key',
      awsAuthRefresh: 'true',
      awsCredentialExport: 'true',
      otelHeadersHelper: 'echo {}',
      forceLoginMethod: 'console',
      gcpAuthRefresh: 'true',
      modelOverrides: { 'claude-opus-4-6': 'arn:aws:bedrock:x' },
      proxyAuthHelper: 'echo Basic x',
    };
    const known = knownSettings({ settings, env: {} }, stage.client.version);
    const run = await runWrite(stage, {
      settings: { ...known, ...hooksOn('PreToolUse', REFUSES) },
    });
    expect(run.written).toBe(false);
  },
);
