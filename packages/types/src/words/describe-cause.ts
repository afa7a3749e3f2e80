import type { Cause, Limit } from '../run/cause.ts';
import { count, formatUsd } from './amounts.ts';

/** Says in words why a worker ended. Code that decides must look at the cause, not at these words. */
export function describeCause(cause: Cause): string {
  switch (cause.kind) {
    case 'done': {
      const said = 'all tasks completed, gate passed';
      if (cause.noPullRequest !== undefined) {
        return `${said}; no pull request: ${cause.noPullRequest}`;
      }
      return cause.refusal === undefined ? said : `${said}, but ${cause.refusal}`;
    }
    case 'blocker': {
      const [first = '', ...more] = cause.titles;
      return `open blocker: ${first}${more.length > 0 ? `, and ${more.length} more` : ''}`;
    }
    case 'escalated':
      return `tried too often: ${cause.tasks.join(', ')}`;
    case 'gate':
      return `the gate failed: ${cause.detail}`;
    case 'limit':
      return describeLimit(cause);
    case 'stuck':
      return `needs a person: ${cause.stories.join(', ')}`;
    case 'epic-done':
      return cause.into === undefined
        ? `${count(cause.stories, 'story', 'stories')} passed their gates`
        : `${count(cause.stories, 'story', 'stories')} merged into ${cause.into}`;
    case 'stopped':
      return cause.why;
    case 'error':
      return cause.message;
  }
}

function describeLimit(limit: Limit): string {
  switch (limit.of) {
    case 'time':
      return 'the time is up';
    case 'cycles':
      return `not done after ${count(limit.most, 'cycle')}`;
    case 'tokens':
      return `the token budget is spent: ${limit.spent}`;
    case 'usd':
      return `the budget is spent: ${formatUsd(limit.spent)}`;
    case 'no-progress': {
      const { last } = limit;
      const because = last ? ` (${last.outcome}: ${last.detail})` : '';
      return `no progress in ${count(limit.cycles, 'cycle')}${because}`;
    }
    case 'rounds':
      return `the pull request asks for more after ${count(limit.most, 'round')} of work`;
    case 'outage':
      return `the model is not available, and no time is left to wait for it: ${limit.detail}`;
    case 'failures':
      return `${count(limit.runs, 'run')} in a row failed (${limit.last.outcome}: ${limit.last.detail})`;
    case 'usage':
      return `the usage limit of the account lasts longer than the time limit: ${limit.detail}`;
  }
}
