import type { RunOutcome, StopCause } from '@saga-ai/types/run/cause';
import type { Remedy } from '../agent.ts';

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
    hint: 'Something keeps hooks from running: look at .claude/settings.json, managed settings, and any proxy that calls to 127.0.0.1 go through.',
  },
  'usage-error': {
    code: 'client-failed',
    hint: 'Try the client by hand: claude -p hello. saga logs shows what it said.',
  },
};

/** What to look at when the client runs and does not ask the model it was given. */
export const MODEL_NOT_ASKED =
  'Look at .claude/settings.json: a hook may refuse the prompt, or an address or an account lead elsewhere';

/** What a person has to do before another run; undefined if another run may fare better. */
export function findRemedy(end: StopCause | RunOutcome): Remedy | undefined {
  return REMEDIES[end];
}
