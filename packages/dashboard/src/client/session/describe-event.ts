import type { SessionEvent } from '@saga-ai/types/session-event';
import type { Tone } from '../state/state.ts';
import { count, formatCost, formatTokens } from '../text/amounts.ts';
import { formatDuration } from '../text/duration.ts';

export interface Step {
  glyph: string;
  tone: Tone;
  head: string;
  text: string;
}

/** A step of the worker in words; nothing for what only programs need. */
export function describeEvent(event: SessionEvent): Step | undefined {
  const describe = STEPS[event.type];
  if (describe === QUIET) return undefined;
  if (describe) return describe(event as Fields);
  const [head = event.type, verb = ''] = event.type.split(':');
  return { glyph: '·', tone: 'plain', head, text: verb };
}

// A log may be from another version, so every field is read loosely and only ever shown.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Fields = Record<string, any>;
type Describe = (event: Fields) => Step | undefined;

const done = (head: string, text = ''): Step => ({ glyph: '✓', tone: 'done', head, text });
const warn = (head: string, text = ''): Step => ({ glyph: '!', tone: 'waiting', head, text });
const fail = (head: string, text = ''): Step => ({ glyph: '✗', tone: 'needs-you', head, text });
const busy = (head: string, text = ''): Step => ({ glyph: '●', tone: 'running', head, text });
const note = (head: string, text = ''): Step => ({ glyph: '·', tone: 'plain', head, text });
const QUIET: Describe = () => undefined;

const STEPS: Readonly<Record<string, Describe>> = {
  'worker:start': ({ session }) => note('worker', `${session} started`),
  'worker:end': describeWorkerEnd,
  'preflight:start': QUIET,
  'preflight:passed': ({ claude, git, gh }) =>
    done('preflight', [`claude ${claude}`, `git ${git}`, gh ? `gh ${gh}` : 'no gh'].join(', ')),
  'fetch:failed': ({ branch, reason }) => warn('fetch', `${branch} not fetched: ${reason}`),
  'worktree:start': QUIET,
  'worktree:created': (event) => done('worktree', `created ${formatWorktree(event)}`),
  'worktree:found': (event) => done('worktree', `found ${formatWorktree(event)}`),
  'worktree:included': ({ files }) => done('included', list(files)),
  'worktree:not-included': ({ path, reason }) => warn('included', `${path} not copied: ${reason}`),
  'story:committed': ({ path }) => done('story', `${path} committed`),
  'setup:start': ({ command }) => busy('setup', command),
  'setup:end': ({ exitCode }) =>
    exitCode === 0 ? done('setup') : fail('setup', `ended with code ${exitCode}`),
  'recovery:start': () => warn('recovery', 'an earlier worker was cut off; looking after its run'),
  'recovery:done': QUIET,
  'pull-request:start': QUIET,
  'pull-request:found': ({ number, draft }) =>
    done('pull request', `#${number} (${draft ? 'draft' : 'ready'})`),
  'pull-request:created': ({ number }) => done('pull request', `#${number} (draft)`),
  'pull-request:skipped': ({ reason }) => warn('pull request', `none: ${reason}`),
  'pull-request:ready': ({ number }) => done('pull request', `#${number} ready for review`),
  'pull-request:not-ready': ({ number, reason }) =>
    warn('pull request', `#${number} could not be marked ready: ${reason}`),
  'pull-request:not-updated': ({ number, reason }) =>
    warn('pull request', `#${number} not updated: ${reason}`),
  'push:done': ({ branch, commit }) => note('push', `${branch} at ${String(commit).slice(0, 8)}`),
  'push:failed': ({ branch, reason }) => warn('push', `${branch} not pushed: ${reason}`),
  'hydrate:start': QUIET,
  'hydrate:done': ({ tasks, list }) => done('hydrate', `${count(Number(tasks), 'task')} → ${list}`),
  'run:end': describeRunEnd,
  'run:retry': ({ claude }) =>
    warn(
      'retry',
      `${claude?.error ?? 'error'}, attempt ${claude?.attempt} of ${claude?.max_retries}`,
    ),
  'run:stopping': ({ detail }) => warn('stopping', detail),
  'run:rate-limit': ({ claude }) =>
    claude?.rate_limit_info?.status === 'rejected'
      ? warn('limit', 'usage limit reached')
      : undefined,
  'run:system': ({ claude }) =>
    claude?.subtype === 'init'
      ? note('client', `${claude.model ?? ''} · ${count(claude.tools?.length ?? 0, 'tool')}`)
      : undefined,
  'run:outcome': QUIET,
  'run:event': QUIET,
  'run:noise': ({ text }) => note('client', text),
  'task:escalated': ({ task, attempts }) =>
    fail('escalated', `${task}, ${count(attempts ?? 0, 'attempt')}`),
  'guard:denied': ({ tool, reason }) => fail('denied', `${tool}: ${reason}`),
  'guard:failed': ({ reason }) => fail('guard', reason),
  'definitions:restored': ({ files }) => warn('put back', list(files)),
  'sync:failed': ({ task, reason }) => warn('sync', `${task}: ${reason}`),
  'sync:ignored': QUIET,
  'reconcile:done': ({ changes }) =>
    changes > 0 ? note('reconcile', count(changes, 'change')) : undefined,
  'branch:returned': ({ found, branch }) => warn('branch', `back from ${found} to ${branch}`),
  'branch:lost': ({ found, reason }) => fail('branch', `the run left it for ${found}: ${reason}`),
  'leftovers:committed': ({ files }) =>
    warn('leftovers', `${count(files?.length ?? 0, 'file')} committed as wip`),
  'limit:waiting': ({ until, reason }) => warn('waiting', `until ${until}: ${reason}`),
  'gate:check': ({ check }) => describeCheck(check),
  'gate:passed': ({ again }) =>
    done('gate', again === false ? 'passed before, nothing changed since' : 'passed'),
  'gate:failed': () => fail('gate', 'did not pass'),
  'log:failed': ({ reason }) => warn('log', reason),
};

function describeCheck(check: Fields | undefined): Step | undefined {
  const { name = '', detail = '', outcome } = check ?? {};
  if (outcome === 'passed') return done(name, detail);
  return outcome === 'failed' ? fail(name, detail) : { ...note(name, detail), glyph: '–' };
}

function formatWorktree({ path, branch, ahead, base }: Fields): string {
  return `${path} (${branch}, ${ahead} ahead of ${base})`;
}

function describeRunEnd({ cycle, outcome, detail, tokens, costUsd, stoppedBy }: Fields): Step {
  const isFine = outcome === 'ok' && !stoppedBy;
  const text = [isFine ? 'ended' : `${stoppedBy ?? outcome}: ${detail}`, spent(tokens, costUsd)];
  return (isFine ? done : warn)(`run ${cycle}`, text.join(' · '));
}

function describeWorkerEnd({ kind, reason, cycles, tokens, costUsd, elapsedMs }: Fields): Step {
  const took = formatDuration(elapsedMs ?? 0);
  const text = [reason, count(cycles ?? 0, 'run'), took, spent(tokens, costUsd)].join(' · ');
  if (kind === 'done') return done('done', text);
  if (kind === 'needs-you') return { ...fail('needs you', text), glyph: '!' };
  return (kind === 'error' ? fail : warn)(String(kind), text);
}

const spent = (tokens: unknown, cost: unknown) =>
  `${formatTokens(Number(tokens ?? 0))} tok · ${formatCost(Number(cost ?? 0))}`;

const list = (files: unknown) => (Array.isArray(files) ? files.join(', ') : '');
