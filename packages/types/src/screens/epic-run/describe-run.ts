import { count, formatDuration, listFiles } from '../../words/amounts.ts';
import { STATES, type State } from '../story-state.ts';
import type { Foretold, RunState } from './epic-run.ts';

/** What decides about the state of a run. */
export interface RunSigns {
  /** Undefined if the epic was never run. */
  session: 'running' | 'ended' | 'died' | undefined;
  isPaused: boolean;
  /** Whether a worker works on a story, or a story is being merged. */
  isAtWork: boolean;
  /** The stories that need a person. */
  needy: readonly string[];
}

export function deriveRunState({ session, isPaused, isAtWork, needy }: RunSigns): RunState {
  if (session === undefined) return 'none';
  if (session !== 'running') return session;
  if (isPaused) return 'paused';
  return !isAtWork && needy.length > 0 ? 'people' : 'running';
}

/** Returns how the state of a run looks. For a run that ended, its outcome decides. */
export function lookOfRun(state: RunState, outcome: keyof typeof STATES | null): State {
  switch (state) {
    case 'none':
      return STATES.ready;
    case 'running':
      return STATES.running;
    case 'paused':
      return { ...STATES.started, word: 'paused' };
    case 'people':
      return { ...STATES['needs-you'], word: 'waits for you' };
    case 'died':
      return STATES.died;
    case 'ended':
      return STATES[outcome ?? 'ended'];
  }
}

/** Describes a run in one line: "running, 2 jobs, 3m12s: works on cart, pay". */
export function describeRun(run: {
  state: RunState;
  jobs: number;
  elapsedMs: number;
  working: readonly string[];
  needy: readonly string[];
  reason: string | null;
  /** Pairs of stories that will conflict when they are merged. */
  foretold?: readonly Foretold[];
}): string {
  const { state, working, needy, reason, foretold = [] } = run;
  const time = formatDuration(run.elapsedMs);
  const jobs = count(run.jobs, 'job');
  const asks = needy.length > 0 ? `waits for you: ${name(needy)}` : '';
  const does = working.length > 0 ? `works on ${name(working)}` : '';
  const warns = foretold.slice(0, NAMED_PAIRS).map(describeForetold);
  switch (state) {
    case 'none':
      return 'never run';
    case 'running':
      return join(`running, ${jobs}, ${time}`, [does, asks, ...warns]);
    case 'people':
      return join(`running, ${jobs}, ${time}`, [asks, ...warns]);
    case 'paused':
      return join(`paused, ${jobs}, ${time}`, [does, asks, ...warns]);
    case 'died':
      return join('its scheduler was killed', [asks]);
    case 'ended':
      return join(`ended after ${time}`, [reason ?? '']);
  }
}

const NAMED = 4;
const NAMED_PAIRS = 2;

const describeForetold = ({ stories, files }: Foretold) =>
  `conflict expected between ${stories.join(' and ')}: ${listFiles(files)}`;

const name = (ids: readonly string[]) =>
  ids.length > NAMED
    ? `${ids.slice(0, NAMED).join(', ')} and ${ids.length - NAMED} more`
    : ids.join(', ');

const join = (head: string, parts: readonly string[]) => {
  const said = parts.filter((it) => it !== '');
  return said.length === 0 ? head : `${head}: ${said.join('; ')}`;
};
