import type { EpicDraft } from '@saga-ai/types/plan/draft';

/**
 * Returns a proposal whose addresses of issues are those of the plan. A pull request closes the issue of its story, so
 * the Shaper may not choose the address.
 */
export function keepIssues(
  proposal: EpicDraft,
  given?: Pick<EpicDraft, 'issue' | 'stories'>,
): EpicDraft {
  const known = new Map(given?.stories.map((it) => [it.id, it.issue]));
  const { issue: _, stories, ...epic } = proposal;
  return {
    ...epic,
    ...withIssue(given?.issue),
    stories: stories.map(({ issue: _, ...story }) => ({
      ...story,
      ...withIssue(known.get(story.id)),
    })),
  };
}

const withIssue = <T>(issue: T | undefined) => (issue === undefined ? {} : { issue });
