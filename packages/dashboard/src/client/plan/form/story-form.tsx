import type { StoryDraft } from '@saga-ai/types/plan/draft';
import { followTitle, withField } from '../edit-draft.ts';
import { useForm } from './form-context.ts';
import { LinesField } from './lines-field.tsx';
import { TaskList } from './task-list.tsx';
import { TextField } from './text-field.tsx';

interface StoryFormProps {
  story: StoryDraft;
  /** The path of the story in the draft; empty for a story by itself. */
  path: string;
  onChange: (story: StoryDraft) => void;
  rename: (id: string) => void;
  isTaken: (id: string) => boolean;
}

const TEXTS = [
  ['description', 'Description', 'What is there now, what is missing, and why.'],
  ['guidance', 'Guidance', 'How to do it.'],
  ['doneWhen', 'Done when', 'A command and what it prints, or a fact that anyone can check.'],
  ['avoid', 'Avoid', 'What not to do.'],
] as const;

export function StoryForm({ story, path, onChange, rename, isTaken }: StoryFormProps) {
  const { fixed, problemOf } = useForm();
  const at = (field: string) => (path === '' ? field : `${path}.${field}`);
  const set = (field: string) => (value: unknown) => onChange(withField(story, field, value));
  return (
    <div className="grid min-w-0 gap-2.5">
      <TextField
        label="Title"
        path={at('title')}
        isLine
        value={story.title}
        problem={problemOf(at('title')) ?? problemOf(at('id'))}
        onChange={set('title')}
        onLeave={(before) => {
          if (fixed.has(story.id)) return;
          const { id, title } = story;
          const next = followTitle({ id, before, after: title }, 'story', isTaken);
          if (next !== id) rename(next);
        }}
      />
      {TEXTS.map(([field, label, placeholder]) => (
        <TextField
          key={field}
          label={label}
          path={at(field)}
          value={story[field] ?? ''}
          placeholder={placeholder}
          problem={problemOf(at(field))}
          onChange={set(field)}
        />
      ))}
      <LinesField
        label="May change"
        path={at('writeFiles')}
        value={story.writeFiles}
        placeholder="src/cart/** (one a line; empty: any file)"
        problem={problemOf(at('writeFiles'))}
        onChange={set('writeFiles')}
      />
      <TextField
        label="Verify"
        path={at('verify')}
        isCode
        value={story.verify ?? ''}
        placeholder="npm test"
        problem={problemOf(at('verify'))}
        onChange={set('verify')}
      />
      <TaskList
        storyId={story.id}
        tasks={story.tasks}
        path={at('tasks')}
        onChange={(tasks) => onChange({ ...story, tasks })}
      />
    </div>
  );
}
