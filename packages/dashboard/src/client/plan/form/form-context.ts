import type { Membership } from '@saga-ai/types/plan/graph';
import { createContext, use } from 'react';

/** What all fields of a form need to know. */
export interface FormFacts {
  /** Ids that exist on disk: of stories, of the epic, and of tasks as `story/task`. */
  fixed: Membership;
  /** Returns what is wrong with a field, by its path in the draft. */
  problemOf(path: string): string | undefined;
}

export const FormContext = createContext<FormFacts>({
  fixed: new Set(),
  problemOf: () => undefined,
});

export const useForm = () => use(FormContext);
