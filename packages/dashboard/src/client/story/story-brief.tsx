import type { Story } from '@saga-ai/types/plan/story';
import { Rendered } from '../markdown/rendered.tsx';
import { Section } from '../ui/section.tsx';

/** What the story asks for: the text that every run gets. */
export function StoryBrief({ story }: { story: Story }) {
  const parts = [
    ['Guidance', story.guidance],
    ['Done when', story.doneWhen],
    ['Avoid', story.avoid],
  ] as const;
  if (story.description === '' && parts.every(([, text]) => !text)) return null;
  return (
    <Section id="goal" title="Goal">
      <div className="text-base">
        <Rendered text={story.description} />
      </div>
      <dl className="mt-3 grid gap-x-5 gap-y-2 sm:grid-cols-[6rem_1fr]">
        {parts.map(([name, text]) =>
          text ? (
            <div key={name} className="contents">
              <dt className="text-sm text-faint max-sm:-mb-1.5">{name}</dt>
              <dd className="min-w-0">
                <Rendered text={text} />
              </dd>
            </div>
          ) : null,
        )}
        {story.writeFiles && story.writeFiles.length > 0 ? (
          <>
            <dt className="text-sm text-faint max-sm:-mb-1.5">May change</dt>
            <dd className="min-w-0 font-mono text-xs leading-6">{story.writeFiles.join('  ')}</dd>
          </>
        ) : null}
      </dl>
    </Section>
  );
}
