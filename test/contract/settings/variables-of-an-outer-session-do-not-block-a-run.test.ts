import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, list } from '../support/tasks-call-tools.ts';

const OUTER = '9d1b7c34-25ea-4b7f-8f60-7a2e5d9c1b08';

contract(
  'a client started from within another one runs, with a session id of its own',
  {},
  async (stage) => {
    stage.writeTask('a');
    const { shown, code, init, result } = await callTools(stage, [list], {
      env: {
        CLAUDECODE: '1',
        CLAUDE_CODE_SESSION_ID: OUTER,
        CLAUDE_CODE_CHILD_SESSION: '1',
        CLAUDE_CODE_ENTRYPOINT: 'cli',
        CLAUDE_CODE_SESSION_ATTENDED: '0',
        CLAUDE_PID: '1',
        CLAUDE_PROJECT_DIR: '/nowhere',
        CLAUDE_EFFORT: 'low',
        AI_AGENT: 'claude-code_2-1-325_agent',
      },
    });
    expect({ code, isError: result?.is_error }).toEqual({ code: 0, isError: false });
    expect(shown).toEqual(['#a [pending] Do a']);
    expect(init?.session_id).not.toBe(OUTER);
    expect(init?.cwd).toBe(stage.repo);
  },
);
