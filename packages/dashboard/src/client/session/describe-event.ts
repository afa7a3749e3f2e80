import type { SessionEvent } from '@saga-ai/types/run/session-event';
import { describeStep, type Step } from '@saga-ai/types/screens/describe-step';
import { count } from '../text/amounts.ts';

/** A step of the worker in words: what every screen says, and a little more since there is room. */
export function describeEvent(event: SessionEvent): Step | undefined {
  const more = MORE[event.type];
  if (more) return more(event as Fields);
  const step = describeStep(event);
  if (step) return step;
  const [head = event.type, verb = ''] = event.type.split(':');
  return note(head, verb);
}

// A log may be from another version, so every field is read loosely and only ever shown.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Fields = Record<string, any>;

const note = (head: string, text = ''): Step => ({ glyph: '·', tone: 'plain', head, text });
const quiet = () => undefined;

const MORE: Readonly<Record<string, (event: Fields) => Step | undefined>> = {
  'worker:start': ({ session }) => note('worker', `${session} started`),
  'preflight:start': quiet,
  'worktree:start': quiet,
  'recovery:done': quiet,
  'pull-request:start': quiet,
  'hydrate:start': quiet,
  'run:outcome': quiet,
  'run:event': quiet,
  'sync:ignored': quiet,
  'limit:waited': quiet,
  'story:committed': ({ path }) => note('story', `${path} committed`),
  'push:done': ({ branch, commit }) => note('push', `${branch} at ${String(commit).slice(0, 8)}`),
  'run:rate-limit': ({ claude }) =>
    claude?.rate_limit_info?.status === 'rejected'
      ? { glyph: '!', tone: 'waiting', head: 'limit', text: 'usage limit reached' }
      : undefined,
  'run:system': ({ claude }) =>
    claude?.subtype === 'init'
      ? note('client', `${claude.model ?? ''} · ${count(claude.tools?.length ?? 0, 'tool')}`)
      : undefined,
  'run:noise': ({ text }) => note('client', text),
  'reconcile:done': ({ changes }) =>
    changes > 0 ? note('reconcile', count(changes, 'change')) : undefined,
  'gate:check': ({ check }) => describeCheck(check),
  // Its checks stand above it one by one.
  'gate:passed': ({ again }) => ({
    glyph: '✓',
    tone: 'done',
    head: 'gate',
    text: again === false ? 'passed before, nothing changed since' : 'passed',
  }),
  'gate:failed': () => ({ glyph: '✗', tone: 'needs-you', head: 'gate', text: 'did not pass' }),
};

function describeCheck(check: Fields | undefined): Step {
  const { name: head = '', detail: text = '', outcome } = check ?? {};
  if (outcome === 'passed') return { glyph: '✓', tone: 'done', head, text };
  if (outcome === 'failed') return { glyph: '✗', tone: 'needs-you', head, text };
  return { ...note(head, text), glyph: '–' };
}
