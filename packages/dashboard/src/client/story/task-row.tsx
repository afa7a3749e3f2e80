import type { Task } from '@saga-ai/types/plan/task';
import type { State } from '@saga-ai/types/screens/story-state';
import { memo } from 'react';
import { Rendered } from '../markdown/rendered.tsx';
import { Flash } from '../ui/flash.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';

interface TaskRowProps {
  task: Task;
  state: State;
  unmet: readonly string[];
  /** Whether the address of the page names this task. */
  isMeant: boolean;
}

export const TaskRow = memo(function TaskRow({ task, state, unmet, isMeant }: TaskRowProps) {
  const attempts = task.attempts ?? 0;
  return (
    <details className="group" open={isMeant || state.tone === 'needs-you'}>
      <summary data-row className="row flex min-h-10 items-center gap-2.5 px-4 py-1.5">
        <Flash value={state.word}>
          <StateGlyph state={state} />
        </Flash>
        <span className="min-w-0">{task.subject}</span>
        <span className="ml-auto flex shrink-0 items-center gap-3 pl-2 text-xs text-faint">
          {attempts > 0 ? (
            <span className={task.escalated ? 'text-needs-you' : 'text-waiting'}>
              {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
            </span>
          ) : null}
          {task.needsTests ? <span className="max-sm:hidden">tests first</span> : null}
          <span className="font-mono max-sm:hidden">{task.id}</span>
          <span aria-hidden="true" className="transition-transform group-open:rotate-90">
            ›
          </span>
        </span>
      </summary>
      <dl className="grid gap-x-5 gap-y-2 border-t border-line bg-sunken px-4 py-3 text-sm sm:grid-cols-[6rem_1fr] sm:pl-10">
        <Part name="Description" text={task.description} />
        <Part name="Guidance" text={task.guidance} />
        <Part name="Done when" text={task.doneWhen} />
        <Fact name="Blocked by" text={task.blockedBy.join(', ')} />
        <Fact name="Waits for" text={unmet.join(', ')} />
        <Fact name="May change" text={task.writeFiles?.join('  ')} />
        <Fact name="Last try" text={task.lastOutcome?.replace('_', ' ')} />
      </dl>
    </details>
  );
});

function Part({ name, text }: { name: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <>
      <dt className="text-faint max-sm:-mb-1.5">{name}</dt>
      <dd className="min-w-0">
        <Rendered text={text} />
      </dd>
    </>
  );
}

function Fact({ name, text }: { name: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <>
      <dt className="text-faint max-sm:-mb-1.5">{name}</dt>
      <dd className="min-w-0 font-mono text-xs leading-5">{text}</dd>
    </>
  );
}
