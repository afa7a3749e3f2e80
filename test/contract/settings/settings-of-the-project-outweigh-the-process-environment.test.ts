import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { createLineLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { bash, DONE, seenCalls } from '../support/hooks-write.ts';

/** Which SAGA_STORY_ID hook and Bash tool see, when the repository's settings name another. */
async function seeStoryId(stage: Stage, settings: object): Promise<string[]> {
  stage.write('.claude/settings.json', JSON.stringify({ env: { SAGA_STORY_ID: 'of-project' } }));
  const log = createLineLog(stage);
  const run = await stage.run({
    turns: [bash('echo "$SAGA_STORY_ID"'), DONE],
    settings: { ...settings, ...hooksOn('PreToolUse', log.hook('$SAGA_STORY_ID')) },
    env: { SAGA_STORY_ID: 'of-process' },
  });
  return [...log.lines(), ...seenCalls(run).map((call) => call.result?.text ?? '')];
}

contract("env in the project's settings replaces a variable of the process", {}, async (stage) => {
  expect(await seeStoryId(stage, {})).toEqual(['of-project', 'of-project']);
});

contract("env in --settings outweighs the project's", {}, async (stage) => {
  const settings = { env: { SAGA_STORY_ID: 'of-settings' } };
  expect(await seeStoryId(stage, settings)).toEqual(['of-settings', 'of-settings']);
});
