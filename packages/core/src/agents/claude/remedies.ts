import type { RunOutcome, StopCause } from '@saga-ai/types/run/cause';
import type { Remedy } from '../agent.ts';

/** What shows whether the client works without SAGA. */
export const TRY_BY_HAND = 'Try the client by hand: claude -p hello';

const REFUSED: Remedy = {
  code: 'credential-refused',
  hint: 'Ask saga doctor how a run logs in. Log in (claude, then /login), or check ANTHROPIC_API_KEY, apiKeyHelper, the account and worker.model.',
};

const REMEDIES: Readonly<Partial<Record<StopCause | RunOutcome, Remedy>>> = {
  credential: REFUSED,
  'credential-refused': REFUSED,
  'no-task-tools': {
    code: 'no-task-tools',
    hint: 'Update Claude Code, or choose another model; docs/compatibility.md lists what works.',
  },
  'guard-silent': {
    code: 'guard-silent',
    hint: 'Something prevents hooks from running: check .claude/settings.json, managed settings, and any proxy that receives calls to 127.0.0.1.',
  },
  'usage-error': {
    code: 'client-failed',
    hint: `${TRY_BY_HAND}. saga logs shows what it said.`,
  },
};

/** What to check if the client runs but does not ask the scripted model. */
export const MODEL_NOT_ASKED =
  'Check .claude/settings.json: a hook may refuse the prompt, or a setting may select another address or account';

/** What a person must do before another run. Returns undefined if another run may succeed. */
export function findRemedy(end: StopCause | RunOutcome): Remedy | undefined {
  return REMEDIES[end];
}
