import type { EpicDraft } from '@saga-ai/types/plan/draft';

/**
 * A proposal with the addresses of issues as the plan has them. A pull request closes the issue of its story, so an
 * address is not for the Shaper to say.
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
