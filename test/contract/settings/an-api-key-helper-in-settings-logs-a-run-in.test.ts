import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { API_FAILURE, outcomeOf, SUCCESS } from '../support/outcome-of-run.ts';

const HELPER = { apiKeyHelper: 'echo key-of-the-helper' };

async function runWithoutKey(stage: Stage, settings: object) {
  writeFileSync(join(stage.home, '.claude', 'settings.json'), JSON.stringify(HELPER));
  const turns = 'apiKeyHelper' in settings ? [{ text: 'Done.' }] : [];
  const run = await stage.run({ turns, settings, env: { ANTHROPIC_API_KEY: '' } });
  const keys = run.model.requests
    .filter(({ kind }) => kind === 'turn')
    .map(({ headers }) => headers['x-api-key']);
  return { outcome: outcomeOf(run), keys };
}

contract('an apiKeyHelper in --settings logs a run in', {}, async (stage) => {
  expect(await runWithoutKey(stage, HELPER)).toEqual({
    outcome: SUCCESS,
    keys: ['key-of-the-helper'],
  });
});

contract(
  "under --setting-sources project an apiKeyHelper in the user's settings does not",
  {},
  async (stage) => {
    expect(await runWithoutKey(stage, {})).toEqual({ outcome: API_FAILURE, keys: [] });
  },
);
