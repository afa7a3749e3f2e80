import { findCriticalPath, findUnmet, orderTopologically } from '@saga-ai/types/plan/graph';
import type { Task } from '@saga-ai/types/plan/task';
import type { StoryAnswer } from '@saga-ai/types/screens/dashboard';
import { stateOfTask } from '@saga-ai/types/screens/story-state';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Graph } from '../graph/graph.tsx';
import { Empty } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { Segments } from '../ui/segments.tsx';
import { TaskRow } from './task-row.tsx';

const route = getRouteApi('/stories/$id');

export function TasksSection({ answer: { view, tasks } }: { answer: StoryAnswer }) {
  const { tasks: wanted = 'list' } = route.useSearch();
  const look = tasks.length > 1 ? wanted : 'list';
  const navigate = route.useNavigate();
  const hash = useLocation({ select: (location) => location.hash });
  const { completed, total } = view.progress;
  const isBroken = view.needsYou?.some(({ kind }) => kind === 'unreadable') ?? false;
  const shown = useMemo(() => describeTasks(tasks, view.running), [tasks, view.running]);
  const path = useMemo(() => findCriticalPath(tasks), [tasks]);
  return (
    <Section
      id="tasks"
      title="Tasks"
      count={`${completed} of ${total} completed`}
      aside={
        tasks.length > 1 ? (
          <Segments
            label="Tasks as"
            value={look}
            options={[
              ['list', 'List'],
              ['graph', 'Graph'],
            ]}
            onChange={(next) =>
              navigate({
                search: next === 'graph' ? { tasks: next } : {},
                replace: true,
                resetScroll: false,
              })
            }
          />
        ) : null
      }
    >
      {tasks.length === 0 ? (
        <Empty
          title={
            isBroken
              ? 'Its tasks cannot be shown: a file of the story cannot be read. See above.'
              : 'This story has no tasks yet.'
          }
        />
      ) : null}
      {look === 'graph' ? (
        <Graph
          label={`Tasks of ${view.title}`}
          criticalPath={path}
          items={shown.map(({ task, state, unmet }) => ({
            id: task.id,
            blockedBy: task.blockedBy,
            title: task.subject,
            state,
            detail: unmet.length > 0 ? `waits for ${unmet.join(', ')}` : task.id,
            progress: '',
            href: `/stories/${view.id}`,
            hash: `task-${task.id}`,
          }))}
        />
      ) : null}
      {look === 'list' && tasks.length > 0 ? (
        <ul className="panel divide-y divide-line overflow-hidden">
          {shown.map(({ task, state, unmet }) => (
            <li key={task.id} id={`task-${task.id}`}>
              <TaskRow
                task={task}
                state={state}
                unmet={unmet}
                isMeant={hash === `task-${task.id}`}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </Section>
  );
}

/** Sorts tasks in the order in which they can be done. */
function describeTasks(tasks: readonly Task[], isRunning: boolean) {
  const completed = new Set(tasks.filter((it) => it.status === 'completed').map(({ id }) => id));
  const { ordered, unordered } = orderTopologically(tasks);
  return [...ordered, ...unordered].map((task) => {
    const unmet = task.status === 'completed' ? [] : findUnmet(task, completed);
    return { task, unmet, state: stateOfTask(task, { isRunning, isWaiting: unmet.length > 0 }) };
  });
}
