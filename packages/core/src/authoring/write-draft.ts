import { SagaError } from '../errors.ts';
import type { Paths } from '../project/paths.ts';
import { type Created, checkDraft, createFromDraft } from './create.ts';
import { editText, type Language } from './edit-text.ts';
import { type ParsedDraft, parseDraft } from './parse-draft.ts';

/**
 * Lets a person write a plan in an editor, from a template, and creates it. Returns undefined if the
 * person left the template as it is.
 */
export async function createInEditor(
  paths: Paths,
  template: string,
  editor: string,
): Promise<Created | undefined> {
  const language = createPlanLanguage('Not created', async (draft) => {
    await checkDraft(paths, draft.input, draft.locate);
    return draft;
  });
  const written = await editText({ name: 'plan.md', text: template }, language, editor);
  if (!written) return undefined;
  const created = await createFromDraft(paths, written.value.input, written.value.locate);
  written.discard();
  return created;
}

/** The language of a plan as Markdown. `accept` may refuse a plan by throwing. */
export function createPlanLanguage<T>(
  refusal: string,
  accept: (draft: ParsedDraft) => Promise<T>,
): Language<T> {
  return {
    refusal,
    remarks: /^(?:<!-- .* -->\r?\n)+/,
    formatRemark: (line) => `<!-- ${line.replaceAll('-->', '-- >')} -->`,
    check: async (text) => {
      try {
        return { value: await accept(await parseDraft(text, 'plan.md')) };
      } catch (error) {
        if (!(error instanceof SagaError)) throw error;
        const told = error.problems.length > 0 ? error.problems : [error];
        return { reasons: told.map(({ message, hint }) => `${message} ${hint}`) };
      }
    },
  };
}
