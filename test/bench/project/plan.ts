import type { Epic } from '@saga-ai/types/plan/epic';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';

/** What every program of the benchmark is given, each in its own format. */
export interface Plan {
  stories: PlannedStory[];
  epics: Epic[];
  /** How many stories could start now: one in two. */
  ready: number;
}

export interface PlannedStory {
  story: Story;
  tasks: Task[];
  waitsFor: string[];
}

const STORIES_IN_EPIC = 20;
const TASK_IDS = ['write-failing-test', 'add-schema', 'implement', 'handle-errors', 'document'];
export const TASKS_IN_STORY = TASK_IDS.length;
const COMPLETED_TASKS = 2;

export function buildPlan(storyCount: number): Plan {
  const stories = Array.from({ length: storyCount }, (_, i) => buildStory(i));
  const epics: Epic[] = [];
  for (let first = 0; first < storyCount; first += STORIES_IN_EPIC) {
    const children = stories
      .slice(first, first + STORIES_IN_EPIC)
      .map(({ story, waitsFor }) => ({ id: story.id, blockedBy: waitsFor }));
    epics.push({
      id: epicIdOf(first),
      title: writeText(first, 50),
      description: writeText(first + 1, 600),
      children,
    });
  }
  return { stories, epics, ready: storyCount / 2 };
}

/**
 * In turn: completed; behind a completed one, so ready; behind an open one, so waiting; ready by
 * itself. What is open has two of five tasks behind it.
 */
function buildStory(i: number): PlannedStory {
  const turn = i % 4;
  const completed = turn === 0 ? TASKS_IN_STORY : COMPLETED_TASKS;
  return {
    story: {
      id: storyIdOf(i),
      title: writeText(i, 50),
      description: writeText(i + 1, 600),
      epic: epicIdOf(i),
      doneWhen: writeText(i + 2, 100),
    },
    tasks: TASK_IDS.map((id, t) => ({
      id,
      subject: writeText(i * TASKS_IN_STORY + t, 50),
      description: writeText(i * TASKS_IN_STORY + t + 1, 600),
      status: t < completed ? 'completed' : 'pending',
      blockedBy: TASK_IDS.slice(Math.max(0, t - 1), t),
      guidance: writeText(i * TASKS_IN_STORY + t + 2, 150),
      doneWhen: writeText(i * TASKS_IN_STORY + t + 3, 100),
    })),
    waitsFor: turn === 1 || turn === 2 ? [storyIdOf(i - 1)] : [],
  };
}

const storyIdOf = (i: number) => `${AREAS[i % AREAS.length]}-${String(i).padStart(4, '0')}`;
const epicIdOf = (i: number) => `epic-${String(Math.floor(i / STORIES_IN_EPIC)).padStart(3, '0')}`;

const AREAS = ['billing-export', 'search-filters', 'account-settings', 'audit-trail', 'import'];
const WORDS = `a request handler reads the stored record and returns its summary when every field
is valid otherwise the caller receives one message that names the wrong value keep existing tests
green write to src/server/handlers.ts only do not change public types paginate large results log
each retry with an id close idle connections after thirty seconds measure before and after`.split(
  /\s+/,
);

/** Different text for each seed, and the same in every run. */
function writeText(seed: number, length: number): string {
  // Neighbouring seeds begin alike unless they are spread first.
  let state = ((seed + 1) * 2654435761) % 2 ** 32;
  let text = '';
  while (text.length < length) {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    text += ` ${WORDS[Math.floor((state / 2 ** 32) * WORDS.length)]}`;
  }
  return text.charAt(1).toUpperCase() + text.slice(2);
}
