import type { EventType, RunEvent, SessionEvent } from '../run/event.ts';
import type { GateCheck } from '../run/evidence.ts';
import { count, formatDuration, formatSpent, listFiles } from '../words/amounts.ts';
import { describeMove } from '../words/describe-move.ts';
import { formatHourAndMinute } from '../words/times.ts';

/** One step of a worker in words, the same on every screen. */
export interface Step {
  glyph: string;
  tone: 'done' | 'running' | 'waiting' | 'needs-you' | 'plain';
  head: string;
  text: string;
}

/** The words for each type of event. A type that only programs need has no entry. */
export type StepTable = { readonly [T in EventType]?: (event: RunEvent<T>) => Step | undefined };

/** Returns undefined for an event that only programs need. */
export function describeStep(event: SessionEvent): Step | undefined {
  return describeBy(STEPS, event);
}

export function describeBy(table: StepTable, event: SessionEvent): Step | undefined {
  if (event.type === 'log:unread' || !Object.hasOwn(table, event.type)) return undefined;
  // Each entry of the table takes an event of its own type; the compiler cannot see that here.
  return table[event.type]?.(event as never);
}

const done = (head: string, text: string): Step => ({ glyph: '✓', tone: 'done', head, text });
const warn = (head: string, text: string): Step => ({ glyph: '!', tone: 'waiting', head, text });
const fail = (head: string, text: string): Step => ({ glyph: '✗', tone: 'needs-you', head, text });
const busy = (head: string, text: string): Step => ({ glyph: '●', tone: 'running', head, text });

const STEPS: StepTable = {
  'epic:start': ({ stories, jobs }) =>
    done('epic', `${count(stories, 'story', 'stories')}, ${jobs} at the same time`),
  'epic:branch': ({ branch, commit, isNew }) =>
    done('branch', `${branch} ${isNew ? 'created' : 'updated'} at ${commit.slice(0, 12)}`),
  'epic:started': ({ story }) => busy('started', story),
  'epic:not-started': ({ story, reason, hint }) =>
    fail('not started', `${story}: ${reason}${hint === undefined ? '' : ` ${hint}`}`),
  'epic:ended': ({ story, kind, reason }) =>
    kind === 'done' ? done('passed', story) : fail('ended', `${story}: ${reason}`),
  'epic:stopping': ({ stories }) =>
    busy('stopping', `${stories.join(', ')}: work is committed and pushed`),
  'epic:merge': ({ story, into }) => busy('merging', `${story} into ${into}`),
  'epic:merged': ({ story, into, verified }) =>
    done('merged', `${story} into ${into}${verified === 'none' ? ', unverified' : ''}`),
  'epic:not-merged': ({ story, into, detail, isTold }) =>
    fail(
      'not merged',
      `${story} into ${into}: ${detail}${isTold ? '; a run of the story is told' : ''}`,
    ),
  'epic:foretold': ({ stories, files }) =>
    warn('conflict', `${stories.join(' and ')} both change ${files.join(', ')}`),
  'epic:waits': ({ stories, cutOff }) =>
    warn(
      'waits for you',
      `${stories.join(', ')}${cutOff.length === 0 ? '' : `; held up: ${cutOff.join(', ')}`}`,
    ),
  'epic:changed': ({ isPaused, jobs }) =>
    warn('changed', isPaused ? 'paused: nothing new begins' : `${jobs} at the same time`),
  'notify:sent': ({ on, item, by }) => done('told you', `${item}: ${on}, by ${by}`),
  'notify:failed': ({ on, item, by, reason }) =>
    warn('not told', `${item}: ${on}, by ${by}: ${reason}`),
  'preflight:passed': ({ claude, git, gh, blockers }) =>
    done('preflight', formatPreflight(claude, git, gh, blockers.length)),
  'sandbox:on': () => done('sandbox', 'runs, setup and verify are enclosed'),
  'sandbox:off': ({ reason, hint }) => warn('sandbox', `runs are not enclosed: ${reason}. ${hint}`),
  'network:refused': ({ host }) =>
    warn(
      'network',
      `the sandbox refused ${host}; sandbox.network list and sandbox.domains can allow it`,
    ),
  'push:hook-skipped': ({ hook }) =>
    warn(
      'push hook',
      `${hook} is not run: it could run files of the branch outside the sandbox. If it checks something, let gate.verify run that check`,
    ),
  'refs:trashed': ({ refs }) =>
    warn('kept', refs.map(({ name, ref }) => `${name}, in ${ref}`).join('; ')),
  'base:merged': ({ base, commits }) =>
    done('base', `${count(commits, 'commit')} of ${base} merged`),
  'base:conflict': ({ base, files }) =>
    warn('base', `conflicts with ${base}: ${listFiles(files)}; the next run is told`),
  'base:skipped': ({ base, reason }) => warn('base', `${base} not merged: ${reason}`),
  'fetch:failed': ({ branch, reason }) => warn('fetch', `${branch} not fetched: ${reason}`),
  'worktree:created': (event) => done('worktree', `created ${formatWorktree(event)}`),
  'worktree:found': (event) => done('worktree', `found ${formatWorktree(event)}`),
  'worktree:inside': ({ reason }) => warn('worktree', `inside .saga/worktrees: ${reason}`),
  'worktree:remains': () =>
    warn(
      'worktree',
      'was deleted during a run; files written later are in .git/saga/runs/put-back',
    ),
  'worktree:included': ({ files }) => done('included', files.join(', ')),
  'worktree:not-included': ({ path, reason }) => warn('included', `${path} not copied: ${reason}`),
  'setup:start': ({ command, checkout }) =>
    busy('setup', checkout === 'clean' ? `${command} (in a clean checkout)` : command),
  'setup:end': ({ exitCode }) =>
    exitCode === 0
      ? done('setup', 'done')
      : fail('setup', exitCode === null ? 'was stopped' : `ended with code ${exitCode}`),
  'recovery:start': () =>
    warn('recovery', 'an earlier worker died during a run; cleaning up after it'),
  'pull-request:found': ({ number, draft }) =>
    done('pull request', `#${number} (${draft ? 'draft' : 'ready'})`),
  'pull-request:created': ({ number }) => done('pull request', `#${number} (draft)`),
  'pull-request:skipped': ({ reason, compare }) =>
    warn(
      'pull request',
      `none: ${reason}${compare === undefined ? '' : `; to open one yourself: ${compare}`}`,
    ),
  'pull-request:ready': ({ number }) => done('pull request', `#${number} ready for review`),
  'pull-request:not-ready': ({ number, reason }) =>
    warn('pull request', `#${number} could not be marked ready: ${reason}`),
  'pull-request:not-updated': ({ number, reason }) =>
    warn('pull request', `#${number} not updated: ${reason}`),
  'push:failed': ({ branch, reason }) => warn('push', `${branch} not pushed: ${reason}`),
  'push:refused': ({ reason }) => warn('push', reason),
  'follow:start': ({ number }) => busy('follow', `watches #${number}`),
  'follow:checks': ({ number, running }) =>
    busy(
      'follow',
      running > 0
        ? `waits for ${count(running, 'check')} of #${number}`
        : `watches #${number}, no check is running`,
    ),
  'follow:found': ({ title }) => warn('found', title),
  'follow:ignored': ({ title, reason }) => warn('ignored', `${title}: ${reason}`),
  'follow:round': ({ round, most, remarks }) =>
    busy('follow', `round ${round} of ${most}: a run is told ${count(remarks, 'remark')}`),
  'follow:answered': ({ title, isResolved }) =>
    done('answered', isResolved ? `${title}, and resolved` : title),
  'follow:not-answered': ({ title, reason }) => warn('not answered', `${title}: ${reason}`),
  'follow:failed': ({ reason }) => warn('follow', `GitHub does not answer: ${reason}`),
  'follow:end': ({ reason }) => done('follow', `ends: ${reason}`),
  'hydrate:done': ({ tasks, list }) => done('task list', `${count(tasks, 'task')} in ${list}`),
  'account:unread': ({ path, reason }) => warn('account', `${path} cannot be read: ${reason}`),
  'run:start': ({ cycle, model, isContinued }) =>
    busy(
      `run ${cycle}`,
      `model ${model} · guarded${isContinued ? ' · goes on with the conversation' : ''}`,
    ),
  'run:end': formatRunEnd,
  'run:retry': ({ error, attempt, most }) => warn('retry', formatRetry(error, attempt, most)),
  'run:stopping': ({ detail }) => warn('stopping', detail),
  'task:status': ({ task, to }) => formatStatus(task, to),
  'task:escalated': ({ task, attempts }) => fail('escalated', `${task}, ${attempts} attempts`),
  'follow-ups:kept': ({ drafts, titles }) =>
    warn('follow-ups', `${titles.join('; ')}   look: saga drafts show ${drafts[0]}`),
  'follow-ups:refused': ({ reason }) => warn('follow-ups', `not kept: ${reason}`),
  'task:split': ({ task, into }) => done('split', `${task} into ${into.join(', ')}`),
  'task:not-split': ({ task, reason }) => warn('not split', `${task}: ${reason}`),
  'guard:denied': ({ tool, reason }) => warn('denied', `${tool}: ${reason}`),
  'guard:failed': ({ reason }) => fail('guard', reason),
  'definitions:restored': ({ files }) => warn('put back', files.join(', ')),
  'journal:restored': ({ isRewritten, dropped }) =>
    warn('put back', formatJournalRestored(isRewritten, dropped)),
  'plan:differs': ({ files }) =>
    warn('plan', `a person or an earlier run changed on the branch: ${listFiles(files)}`),
  'elsewhere:restored': ({ what }) => warn('put back', `outside the worktree: ${what.join(', ')}`),
  'elsewhere:noticed': ({ what }) =>
    warn('noticed', `changed outside the worktree while the run worked: ${listFiles(what)}`),
  'tests:restored': ({ files }) =>
    warn('put back', `files that are not tests: ${files.join(', ')}`),
  'task:restored': ({ files }) =>
    warn('put back', `files that this task may not change: ${listFiles(files)}`),
  'tests:kept': ({ files }) =>
    warn('put back', `tests that a run may not change: ${files.join(', ')}`),
  'tests:accepted': ({ task, files }) => done('tests', `${task}: ${listFiles(files)}`),
  'tests:refused': ({ task, reason }) => warn('tests', `${task}: ${reason}`),
  'sync:failed': ({ task, reason }) => warn('sync', `${task}: ${reason}`),
  'branch:returned': ({ found, branch }) => warn('branch', `back from ${found} to ${branch}`),
  'branch:moved': ({ branch, to, commits, how }) =>
    warn('branch', describeMove(branch, to, commits, how)),
  'branch:brought': ({ branch, commits }) =>
    warn('branch', `moved ${count(commits, 'commit')} to ${branch}`),
  'work:kept': ({ ref, what, files }) =>
    warn('kept', `${what}, ${count(files.length, 'file')}, as ${ref}`),
  'git:repaired': ({ file }) => warn('git', `repaired ${file} of the worktree`),
  'git:abandoned': ({ what }) =>
    warn('git', `ended an unfinished ${what}; its files and commits are kept`),
  'git:index-flags-cleared': ({ files }) =>
    warn('git', `git sees these files again: ${files.join(', ')}`),
  'branch:updated': ({ branch }) =>
    done('branch', `${branch} updated with commits that others pushed`),
  'branch:not-updated': ({ reason }) => warn('branch', `not updated: ${reason}`),
  'git:unlocked': ({ lock }) => warn('git', `removed a lock that a killed git left: ${lock}`),
  'leftovers:committed': ({ files }) =>
    warn('leftovers', `committed ${count(files.length, 'file')} as wip, on this machine only`),
  'leftovers:reopened': ({ files }) =>
    warn(
      'leftovers',
      `uncommitted again: ${count(files.length, 'file')} of an earlier run; the next run decides about them`,
    ),
  'feedback:told': ({ titles }) => done('feedback', `told to this run: ${titles.join(' · ')}`),
  'message:sent': ({ from, text, interrupts }) =>
    busy(
      'message',
      `${from}${interrupts ? ' interrupts the current step' : ''}: ${beginning(text)}`,
    ),
  'message:heard': ({ from, text }) =>
    done('message', `the run has read ${from}: ${beginning(text)}`),
  'messages:failed': ({ reason }) => warn('messages', reason),
  'message:kept': ({ from, text }) =>
    warn('message', `no run read ${from}: ${beginning(text)}; it is feedback for the next run`),
  'run:silent': ({ time, since, call }) =>
    warn(
      'silent',
      `for ${formatDuration(Date.parse(time) - Date.parse(since))}, asked what it waits for${call === undefined ? '' : ` · ${call}`}`,
    ),
  'run:alive': () => done('alive', 'the run shows signs of life again'),
  'limit:waiting': ({ until, reason }) => warn('waiting', `until ${until}: ${reason}`),
  'answer:waiting': ({ until, reason }) =>
    warn('waiting', `for your answer until ${until}: ${reason}`),
  'outage:waiting': ({ until, reason }) => warn('waiting', `until ${until}: ${reason}`),
  'gate:start': () => busy('gate', ''),
  'gate:verify': ({ command }) => busy('verify', command),
  'gate:silent': ({ command, since, endsBy }) =>
    warn('verify', `${command}: ${formatSilence(since, endsBy)}`),
  'gate:check': ({ check }) =>
    check.outcome === 'failed' ? fail(check.name, check.detail) : undefined,
  'gate:unsigned': ({ reason }) => warn('evidence', `not signed: ${reason}`),
  'gate:other-key': ({ reason }) => warn('evidence', `signed with SAGA's own key: ${reason}`),
  'gate:passed': ({ checks, again }) =>
    done(
      'gate',
      again === false ? 'already passed; nothing has changed since' : formatPassed(checks),
    ),
  'gate:failed': ({ checks }) => fail('gate', formatFailed(checks)),
  'log:failed': ({ reason }) => warn('log', reason),
  'listener:failed': ({ reason }) => warn('view', `cannot show the events: ${reason}`),
  'worker:end': formatWorkerEnd,
};

/** Returns the first line of a text, cut if it is long. */
function beginning(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 80 || line !== text ? `${line.slice(0, 79)}…` : line;
}

function formatPreflight(claude: string, git: string, gh: string | null, blockers: number): string {
  const tools = [`claude ${claude}`, `git ${git}`, gh ? `gh ${gh}` : 'no gh'];
  return [...tools, blockers === 0 ? 'no open blocker' : count(blockers, 'open blocker')].join(
    ', ',
  );
}

function formatRetry(error: string, attempt?: number, most?: number): string {
  return attempt === undefined ? error : `${error}, attempt ${attempt} of ${most ?? '?'}`;
}

function formatWorktree({
  path,
  branch,
  ahead,
  base,
}: RunEvent<'worktree:found' | 'worktree:created'>): string {
  return `${path} (${branch}, ${ahead} ahead of ${base})`;
}

function formatRunEnd({
  cycle,
  outcome,
  detail,
  tokens,
  stoppedBy,
  ...cost
}: RunEvent<'run:end'>): Step {
  const spent = formatSpent(tokens, cost);
  const isFine = outcome === 'ok' && !stoppedBy;
  const text = [isFine ? 'ended' : `${stoppedBy ?? outcome}: ${detail}`, ...spent].join(' · ');
  return isFine ? done(`run ${cycle}`, text) : warn(`run ${cycle}`, text);
}

function formatStatus(task: string, to: string): Step {
  if (to === 'completed') return done(task, '');
  if (to === 'in_progress') return busy(task, '');
  return { glyph: '○', tone: 'plain', head: task, text: 'back to pending' };
}

function formatPassed(checks: readonly GateCheck[] = []): string {
  const passed = checks.filter(({ outcome }) => outcome === 'passed');
  const verify = passed.find(({ name }) => name === 'verify');
  const said = verify ? verify.detail : 'unverified: there is no verify command';
  return `${count(passed.length, 'check')} passed · ${said}`;
}

function formatSilence(since: string, endsBy: string): string {
  return `nothing printed since ${formatHourAndMinute(since)}; it is ended at ${formatHourAndMinute(endsBy)}`;
}

function formatFailed(checks: readonly GateCheck[] = []): string {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return `${failed.length} of ${count(checks.length, 'check')} failed: ${failed.map(({ name }) => name).join(', ')}`;
}

function formatWorkerEnd({
  kind,
  reason,
  cycles,
  tokens,
  elapsedMs,
  ...cost
}: RunEvent<'worker:end'>): Step {
  const spent = formatSpent(tokens, cost);
  const runs = count(cycles, 'run');
  const text = [reason, runs, formatDuration(elapsedMs), ...spent].join(' · ');
  if (kind === 'done') return done('done', text);
  if (kind === 'needs-you') return { ...fail('needs you', text), glyph: '!' };
  return kind === 'error' ? fail('error', text) : warn(kind, text);
}

function formatJournalRestored(isRewritten: boolean, dropped: readonly string[]): string {
  const answers = dropped.map((title) => JSON.stringify(title)).join(', ');
  return [
    ...(isRewritten ? ['entries of the journal that the run changed'] : []),
    ...(dropped.length > 0
      ? [`the run wrote an answer of its own, which does not count: ${answers}`]
      : []),
  ].join('; ');
}
