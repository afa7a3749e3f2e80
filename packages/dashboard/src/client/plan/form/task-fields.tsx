import type { TaskDraft } from '@saga-ai/types/plan/draft';
import { findCycles } from '@saga-ai/types/plan/graph';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import {
  createTask,
  followTitle,
  removeItem,
  renameId,
  replaceAt,
  withField,
} from '../edit-draft.ts';
import { moveItem } from '../move-item.ts';
import { Fold } from './fold.tsx';
import { useForm } from './form-context.ts';
import { LinesField } from './lines-field.tsx';
import { TextField } from './text-field.tsx';
import { WaitsFor } from './waits-for.tsx';

interface TaskFieldsProps {
  storyId: string;
  tasks: readonly TaskDraft[];
  path: string;
  onChange: (tasks: TaskDraft[]) => void;
}

/** The tasks of a story. Their order follows from their dependencies, so moving a task changes these. */
export function TaskFields({ storyId, tasks, path, onChange }: TaskFieldsProps) {
  const { fixed } = useForm();
  const [said, setSaid] = useState('');
  const items = tasks.map(({ id, subject, blockedBy }) => ({ id, title: subject, blockedBy }));
  const move = (id: string, step: 1 | -1) => {
    const next = moveItem(tasks, id, step);
    const isCircle = findCycles(next).length > findCycles(tasks).length;
    const subject = tasks.find((it) => it.id === id)?.subject ?? id;
    setSaid(
      isCircle
        ? `${subject} cannot move there: tasks would wait for each other.`
        : `${subject} is task ${next.findIndex((it) => it.id === id) + 1} of ${next.length} now.`,
    );
    if (!isCircle) onChange(next);
  };
  return (
    <div className="mt-2 grid min-w-0 gap-2">
      <h2 data-field={path} tabIndex={-1} className="text-sm font-semibold">
        Tasks <span className="font-normal text-faint">{tasks.length}</span>
      </h2>
      <p role="status" className="text-xs text-soft empty:hidden">
        {said}
      </p>
      <ol className="grid gap-2">
        {tasks.map((task, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the id follows the subject while it is typed
          <li key={index} className="rounded-lg border border-line bg-sunken p-3">
            <TaskForm
              task={task}
              number={index + 1}
              path={`${path}[${index}]`}
              siblings={items}
              isFixed={fixed.has(`${storyId}/${task.id}`)}
              onChange={(next) => onChange(replaceAt(tasks, index, next))}
              rename={(id) => onChange(renameId(tasks, task.id, id))}
              move={index === 0 ? undefined : () => move(task.id, -1)}
              moveDown={index === tasks.length - 1 ? undefined : () => move(task.id, 1)}
              remove={() => onChange(removeItem(tasks, task.id))}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button onClick={() => onChange([...tasks, createTask(tasks)])}>+ Add a task</Button>
      </div>
    </div>
  );
}

interface TaskFormProps {
  task: TaskDraft;
  number: number;
  path: string;
  siblings: readonly { id: string; title: string; blockedBy: readonly string[] }[];
  isFixed: boolean;
  onChange: (task: TaskDraft) => void;
  rename: (id: string) => void;
  move: (() => void) | undefined;
  moveDown: (() => void) | undefined;
  remove: () => void;
}

function TaskForm(props: TaskFormProps) {
  const { task, number, path, siblings, isFixed, onChange, rename, move, moveDown, remove } = props;
  const { problemOf } = useForm();
  const name = task.subject || `task ${number}`;
  const set = (field: string) => (value: unknown) => onChange(withField(task, field, value));
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-1.5">
        <span className="font-mono text-xs text-faint">
          {number} · {task.id}
          {task.status === 'pending' ? '' : ` · ${task.status.replace('_', ' ')}`}
        </span>
        <span className="ml-auto flex gap-1">
          <Small label={`Move ${name} up`} glyph="↑" act={move} />
          <Small label={`Move ${name} down`} glyph="↓" act={moveDown} />
          <Small label={`Remove ${name}`} glyph="×" act={remove} />
        </span>
      </div>
      <TextField
        label="Subject"
        path={`${path}.subject`}
        isLine
        value={task.subject}
        placeholder="What to do"
        problem={problemOf(`${path}.subject`) ?? problemOf(`${path}.id`)}
        onChange={set('subject')}
        onLeave={(before) => {
          if (isFixed) return;
          const isTaken = (id: string) => siblings.some((it) => it.id === id);
          const next = followTitle({ id: task.id, before, after: task.subject }, 'task', isTaken);
          if (next !== task.id) rename(next);
        }}
      />
      <TextField
        label="Description"
        path={`${path}.description`}
        value={task.description}
        placeholder="Which file, which function, what it does."
        problem={problemOf(`${path}.description`)}
        onChange={set('description')}
      />
      <TextField
        label="Done when"
        path={`${path}.doneWhen`}
        value={task.doneWhen ?? ''}
        problem={problemOf(`${path}.doneWhen`)}
        onChange={set('doneWhen')}
      />
      <Fold
        isOpen={Boolean(task.guidance) || Boolean(task.writeFiles?.length)}
        summary={
          <summary className="w-fit text-xs text-faint hover:text-ink">
            <span
              aria-hidden="true"
              className="inline-block transition-transform group-open:rotate-90"
            >
              ›
            </span>{' '}
            Guidance and files
          </summary>
        }
      >
        <div className="mt-2 grid gap-2">
          <TextField
            label="Guidance"
            path={`${path}.guidance`}
            value={task.guidance ?? ''}
            problem={problemOf(`${path}.guidance`)}
            onChange={set('guidance')}
          />
          <LinesField
            label="May change"
            path={`${path}.writeFiles`}
            value={task.writeFiles}
            problem={problemOf(`${path}.writeFiles`)}
            onChange={set('writeFiles')}
          />
        </div>
      </Fold>
      <WaitsFor
        id={task.id}
        items={siblings}
        path={`${path}.blockedBy`}
        onChange={(blockedBy) => onChange({ ...task, blockedBy })}
      />
    </div>
  );
}

function Small({
  label,
  glyph,
  act,
}: {
  label: string;
  glyph: string;
  act: (() => void) | undefined;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={!act}
      onClick={act}
      className="grid size-7 place-items-center rounded-md border border-line bg-panel text-soft hover:bg-hover hover:text-ink disabled:opacity-40"
    >
      <span aria-hidden="true">{glyph}</span>
    </button>
  );
}
