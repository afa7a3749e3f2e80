import type { RunOutcome, StopCause } from '@saga-ai/types/run/cause';
import type { Remedy } from '../agent.ts';

const REFUSED: Remedy = {
  code: 'credential-refused',
  hint: 'Log in (claude, then /login), or check ANTHROPIC_API_KEY, the account and worker.model.',
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
    hint: 'Something keeps hooks from running: look at .claude/settings.json and managed settings.',
  },
  'usage-error': {
    code: 'client-failed',
    hint: 'Try the client by hand: claude -p hello. saga logs shows what it said.',
  },
};

/** What a person has to do before another run; undefined if another run may fare better. */
export function findRemedy(end: StopCause | RunOutcome): Remedy | undefined {
  return REMEDIES[end];
}
