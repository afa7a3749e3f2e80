import { withoutOuterSession } from '@saga-ai/core/agents/claude/outer-session';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { createLineLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { bash, callTools } from '../support/tasks-call-tools.ts';

/** What a shell sets, and what the client sets for programs other than itself. */
const HARMLESS = [
  ...['_', 'OLDPWD', 'PWD', 'SHELL', 'SHLVL'],
  ...['COREPACK_ENABLE_AUTO_PIN', 'GIT_EDITOR', 'NoDefaultCurrentDirectoryInExePath'],
  // Until 2.1.100.
  'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE',
];

/** How a person sets the client up. Nothing of it means a session. */
const SET_UP = { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '4000', CLAUDE_CODE_USE_VERTEX: '0' };

contract(
  'no variable that the client sets for its children reaches a run that one of them starts',
  {},
  async (stage) => {
    const log = createLineLog(stage);
    const names = 'env -0 | cut -z -d= -f1 | tr "\\0" " "';
    const { shown } = await callTools(stage, [bash(names)], {
      env: SET_UP,
      settings: hooksOn('PreToolUse', log.hook(`$(${names})`)),
      plain: true,
    });
    const [ofHooks] = log.lines();
    for (const text of [shown[0], ofHooks]) {
      const { kept, added } = inherited(stage, text ?? '');
      expect(kept).toEqual(Object.keys(SET_UP));
      expect(added.filter((it) => !HARMLESS.includes(it))).toEqual([]);
    }
  },
);

/** What a run would inherit from a child: how the client is set up, and what the client added. */
function inherited(stage: Stage, names: string) {
  const given = { ...stage.environment(), ...SET_UP };
  const child = Object.fromEntries(
    names
      .split(/\s+/)
      .filter(Boolean)
      .map((it) => [it, '1']),
  );
  const left = Object.keys(withoutOuterSession(child));
  return {
    kept: Object.keys(SET_UP).filter((it) => left.includes(it)),
    added: left.filter((it) => !(it in given)),
  };
}
