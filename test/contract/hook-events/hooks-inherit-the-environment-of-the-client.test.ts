import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createLineLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

contract('hooks inherit the environment, secrets and the task list included', {}, async (stage) => {
  const log = createLineLog(stage);
  const line = '$SAGA_STORY_ID $CLAUDE_CODE_TASK_LIST_ID $ANTHROPIC_API_KEY';
  const settings = hooksOn('PreToolUse', log.hook(line));
  await runWrite(stage, { settings, env: { SAGA_STORY_ID: 'login' } });
  expect(log.lines()).toEqual([`login ${stage.listId} dummy`]);
});

contract(
  'hooks know the session by CLAUDE_CODE_SESSION_ID',
  { since: '2.1.150' },
  async (stage) => {
    const log = createLineLog(stage);
    const settings = hooksOn('PreToolUse', log.hook('$CLAUDE_CODE_SESSION_ID $CLAUDECODE'));
    const { init } = await runWrite(stage, { settings });
    expect(log.lines()).toEqual([`${init?.session_id} 1`]);
  },
);
