import type { SessionEvent } from '@saga-ai/types/run/event';
import type { GateCheck } from '@saga-ai/types/run/evidence';
import {
  describeBy,
  describeStep,
  type Step,
  type StepTable,
} from '@saga-ai/types/screens/describe-step';
import { count } from '../text/amounts.ts';

/** Describes a step of the worker: the words of every screen, with more detail for some events. */
export function describeEvent(event: SessionEvent): Step | undefined {
  if (Object.hasOwn(MORE, event.type)) return describeBy(MORE, event);
  const step = describeStep(event);
  if (step) return step;
  const type = event.type === 'log:unread' ? event.of : event.type;
  const [head = type, verb = ''] = type.split(':');
  return note(head, verb);
}

const note = (head: string, text = ''): Step => ({ glyph: '·', tone: 'plain', head, text });
const quiet = () => undefined;

const MORE: StepTable = {
  'worker:start': ({ session }) => note('worker', `${session} started`),
  'preflight:start': quiet,
  'worktree:start': quiet,
  'recovery:done': quiet,
  'pull-request:start': quiet,
  'hydrate:start': quiet,
  'run:outcome': quiet,
  'run:heard': quiet,
  'answer:waited': quiet,
  'run:event': quiet,
  'sync:ignored': quiet,
  'limit:waited': quiet,
  'outage:waited': quiet,
  'story:committed': ({ path }) => note('story', `${path} committed`),
  'push:done': ({ branch, commit }) => note('push', `${branch} at ${commit?.slice(0, 8)}`),
  'run:rate-limit': ({ isReached }) =>
    isReached
      ? { glyph: '!', tone: 'waiting', head: 'limit', text: 'usage limit reached' }
      : undefined,
  'run:init': ({ model = '', tools }) =>
    note('client', `${model} · ${count(tools.length, 'tool')}`),
  'run:noise': ({ text }) => note('client', text),
  'reconcile:done': ({ changes }) =>
    changes > 0 ? note('reconcile', count(changes, 'change')) : undefined,
  'gate:check': ({ check }) => describeCheck(check),
  // The checks are shown above, one by one.
  'gate:passed': ({ again }) => ({
    glyph: '✓',
    tone: 'done',
    head: 'gate',
    text: again === false ? 'already passed; nothing has changed since' : 'passed',
  }),
  'gate:failed': () => ({ glyph: '✗', tone: 'needs-you', head: 'gate', text: 'failed' }),
};

function describeCheck({ name: head, detail: text, outcome }: GateCheck): Step {
  if (outcome === 'passed') return { glyph: '✓', tone: 'done', head, text };
  if (outcome === 'failed') return { glyph: '✗', tone: 'needs-you', head, text };
  return { ...note(head, text), glyph: '–' };
}
