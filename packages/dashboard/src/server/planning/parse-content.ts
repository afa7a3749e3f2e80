import { type ParsedDraft, parseDraft } from '@saga-ai/core/authoring/parse-draft';
import type { DraftContent } from '@saga-ai/types/screens/planning';

/** Parses a draft as a page holds it. Throws if a text cannot be read as a plan. */
export async function parseContent(content: DraftContent): Promise<ParsedDraft> {
  if ('text' in content) return parseDraft(content.text, 'plan.md');
  return { input: content.plan, locate: (problem) => problem };
}
