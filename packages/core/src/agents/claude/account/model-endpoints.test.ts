import { expect, test } from 'vitest';
import { listModelEndpoints } from './model-endpoints.ts';

test.each<[Record<string, string>, string[]]>([
  [{}, ['https://api.anthropic.com', 'https://platform.claude.com']],
  [
    { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4000', CLAUDE_CODE_USE_BEDROCK: '0' },
    ['http://127.0.0.1:4000', 'https://platform.claude.com'],
  ],
  [
    { CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'eu-west-1' },
    [
      'https://bedrock-runtime.eu-west-1.amazonaws.com',
      'https://bedrock.eu-west-1.amazonaws.com',
      'https://sts.eu-west-1.amazonaws.com',
    ],
  ],
  [
    { CLAUDE_CODE_USE_BEDROCK: 'true', ANTHROPIC_BEDROCK_BASE_URL: 'https://gateway.example' },
    ['https://gateway.example'],
  ],
  [
    { CLAUDE_CODE_USE_VERTEX: '1', CLOUD_ML_REGION: 'global', VERTEX_REGION_X: 'europe-west1' },
    [
      'https://aiplatform.googleapis.com',
      'https://europe-west1-aiplatform.googleapis.com',
      'https://oauth2.googleapis.com',
    ],
  ],
  [
    { CLAUDE_CODE_USE_FOUNDRY: '1', ANTHROPIC_FOUNDRY_RESOURCE: 'ours' },
    ['https://ours.services.ai.azure.com', 'https://login.microsoftonline.com'],
  ],
])('%j', (env, expected) => {
  expect(listModelEndpoints(env)).toEqual(expected);
});
