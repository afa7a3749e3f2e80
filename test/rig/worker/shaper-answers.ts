import type { Policy } from '@saga-ai/model';

/** A task of a draft that gets no advice. */
export const draftTask = (id: string, more: object = {}) => ({
  ...{ id, subject: `Write src/${id}.js`, description: `Export ${id}() from src/${id}.js.` },
  ...more,
});

/** A story of a draft that gets no advice. */
export const draftStory = (id: string, blockedBy: string[] = [], more: object = {}) => ({
  ...{ id, title: `Story ${id}`, description: `About src/${id}.js.`, blockedBy },
  ...{ doneWhen: 'npm test passes', verify: 'true', writeFiles: [`src/${id}/**`] },
  tasks: [draftTask('one')],
  ...more,
});

export const draftEpic = (...stories: object[]) => ({
  ...{ id: 'reset', title: 'Password reset', description: 'By mail.', stories },
});

/** Answers with one value after the other, each in the form that was asked for; first it reads a file. */
export function answerWith(...values: object[]): Policy {
  let next = 0;
  let isAsked = '';
  return ({ callsSincePrompt, prompt, isSideQuestion }) => {
    if (isSideQuestion) return { text: 'Fine.' };
    if (callsSincePrompt.length === 0 && isAsked === '') {
      isAsked = prompt;
      return { calls: [{ tool: 'Read', input: { file_path: 'README.md' } }] };
    }
    const isDone = callsSincePrompt.some((call) => call.tool === 'StructuredOutput');
    if (isDone) return { text: 'Done.' };
    const value = values[Math.min(next++, values.length - 1)] ?? {};
    return { calls: [{ tool: 'StructuredOutput', input: value as Record<string, unknown> }] };
  };
}
