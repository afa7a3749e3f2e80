import type { StoryDraft } from '@saga-ai/types/plan/draft';
import { orderTopologically } from '@saga-ai/types/plan/graph';
import type { PlanDraft } from '@saga-ai/types/screens/planning';
import { isEpic, storiesOf } from './edit-draft.ts';

/** The most stories that are shown. More would push the rest of the page out of sight. */
const MOST_STORIES = 200;

/** Shows what a draft would become, as a tree in the order in which the items can be done. */
export function PlanTree({ plan }: { plan: PlanDraft }) {
  const stories = storiesOf(plan);
  const { ordered, unordered } = orderTopologically(stories);
  const shown = [...ordered, ...unordered].slice(0, MOST_STORIES);
  return (
    <div className="text-sm">
      {isEpic(plan) ? (
        <p className="mb-1 font-medium">
          {plan.title} <Id id={plan.id} />
        </p>
      ) : null}
      <ul className={`grid gap-2 ${isEpic(plan) ? 'border-l border-line pl-3' : ''}`}>
        {shown.map((story) => (
          <li key={story.id}>
            <Story story={story} />
          </li>
        ))}
        {isEpic(plan)
          ? plan.children.map(({ id }) => (
              <li key={id} className="text-soft">
                <Id id={id} /> exists already
              </li>
            ))
          : null}
      </ul>
      {stories.length > MOST_STORIES ? (
        <p className="mt-2 text-faint">and {stories.length - MOST_STORIES} more stories</p>
      ) : null}
    </div>
  );
}

function Story({ story }: { story: StoryDraft }) {
  const { ordered, unordered } = orderTopologically(story.tasks);
  return (
    <>
      <p>
        <span className="font-medium">{story.title || 'without a title'}</span> <Id id={story.id} />
        <After names={story.blockedBy} />
      </p>
      <ul className="mt-0.5 border-l border-line pl-3">
        {[...ordered, ...unordered].map((task) => (
          <li key={task.id} className="text-soft">
            {task.subject || 'without a subject'}
            <After names={task.blockedBy} />
          </li>
        ))}
      </ul>
    </>
  );
}

const Id = ({ id }: { id: string }) => <span className="font-mono text-xs text-faint">{id}</span>;

const After = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? null : (
    <span className="text-xs text-faint"> · after {names.join(', ')}</span>
  );
