import type { EpicDraft, StoryDraft } from '@saga-ai/types/plan/draft';
import type { DraftProblem, PlanDraft } from '@saga-ai/types/screens/planning';
import { Button } from '../../ui/button.tsx';
import {
  createStory,
  followTitle,
  isEpic,
  removeItem,
  renameId,
  replaceAt,
  withField,
} from '../edit-draft.ts';
import { Fold } from './fold.tsx';
import { FormContext, type FormFacts } from './form-context.ts';
import { StoryForm } from './story-form.tsx';
import { TextField } from './text-field.tsx';
import { WaitsFor } from './waits-for.tsx';

interface PlanFormProps {
  plan: PlanDraft;
  /** Ids that exist on disk. */
  fixed: ReadonlySet<string>;
  problems: readonly DraftProblem[];
  onChange: (plan: PlanDraft) => void;
}

/** A draft as fields: an epic with its stories, or one story. */
export function PlanForm({ plan, fixed, problems, onChange }: PlanFormProps) {
  const facts: FormFacts = {
    fixed,
    problemOf: (path) => problems.find(({ field }) => field === path)?.message,
  };
  return (
    <FormContext value={facts}>
      {isEpic(plan) ? (
        <EpicForm epic={plan} onChange={onChange} facts={facts} />
      ) : (
        <div className="panel p-4">
          <StoryForm
            story={plan as StoryDraft}
            path=""
            onChange={onChange}
            rename={(id) => onChange({ ...plan, id } as StoryDraft)}
            isTaken={() => false}
          />
        </div>
      )}
    </FormContext>
  );
}

interface EpicFormProps {
  epic: EpicDraft;
  facts: FormFacts;
  onChange: (epic: EpicDraft) => void;
}

function EpicForm({ epic, facts: { fixed, problemOf }, onChange }: EpicFormProps) {
  const { stories, children } = epic;
  const siblings = [
    ...stories.map(({ id, title, blockedBy }) => ({ id, title, blockedBy })),
    ...children.map(({ id, blockedBy }) => ({ id, title: id, blockedBy })),
  ];
  const set = (index: number, story: StoryDraft) =>
    onChange({ ...epic, stories: replaceAt(stories, index, story) });
  const rename = (before: string, after: string) =>
    onChange({
      ...epic,
      stories: renameId(stories, before, after),
      children: renameId(children, before, after),
    });
  const move = (index: number, step: 1 | -1) => {
    const [story] = stories.slice(index, index + 1);
    if (!story) return;
    onChange({ ...epic, stories: stories.toSpliced(index, 1).toSpliced(index + step, 0, story) });
  };
  const isTaken = (id: string) => id === epic.id || siblings.some((it) => it.id === id);
  return (
    <div className="grid gap-4">
      <div className="panel grid gap-2.5 p-4">
        <TextField
          label="Title"
          path="title"
          isLine
          value={epic.title}
          problem={problemOf('title') ?? problemOf('id')}
          onChange={(title) => onChange({ ...epic, title })}
          onLeave={(before) => {
            if (fixed.has(epic.id)) return;
            const id = followTitle({ id: epic.id, before, after: epic.title }, 'epic', () => false);
            if (id !== epic.id) onChange({ ...epic, id });
          }}
        />
        <TextField
          label="Description"
          path="description"
          value={epic.description}
          problem={problemOf('description')}
          onChange={(text) => onChange(withField(epic, 'description', text))}
        />
      </div>
      {stories.map((story, index) => (
        <Fold
          // biome-ignore lint/suspicious/noArrayIndexKey: the id follows the title while it is typed
          key={index}
          className="panel"
          isOpen={stories.length <= 3 || story.title === ''}
          summary={
            <summary className="row flex min-h-11 items-center gap-2.5 rounded-lg px-4 py-2">
              <span
                aria-hidden="true"
                className="text-faint transition-transform group-open:rotate-90"
              >
                ›
              </span>
              <span className="min-w-0 font-medium">
                {story.title || 'A story without a title'}
              </span>
              <span className="ml-auto shrink-0 pl-2 font-mono text-xs text-faint max-sm:hidden">
                {story.id}
              </span>
            </summary>
          }
        >
          <div className="grid gap-2.5 border-t border-line p-4">
            <StoryForm
              story={story}
              path={`stories[${index}]`}
              onChange={(next) => set(index, next)}
              rename={(id) => rename(story.id, id)}
              isTaken={isTaken}
            />
            <WaitsFor
              id={story.id}
              items={siblings}
              path={`stories[${index}].blockedBy`}
              onChange={(blockedBy) => set(index, { ...story, blockedBy })}
            />
            <div className="flex flex-wrap gap-2">
              <Button disabled={index === 0} onClick={() => move(index, -1)}>
                ↑ Earlier <span className="sr-only">in the list: {story.title}</span>
              </Button>
              <Button disabled={index === stories.length - 1} onClick={() => move(index, 1)}>
                ↓ Later <span className="sr-only">in the list: {story.title}</span>
              </Button>
              {fixed.has(story.id) ? null : (
                <Button
                  look="danger"
                  onClick={() => onChange({ ...epic, stories: removeItem(stories, story.id) })}
                >
                  Remove <span className="sr-only">{story.title}</span>
                </Button>
              )}
            </div>
          </div>
        </Fold>
      ))}
      <div>
        <Button onClick={() => onChange({ ...epic, stories: [...stories, createStory(siblings)] })}>
          + Add a story
        </Button>
      </div>
    </div>
  );
}
