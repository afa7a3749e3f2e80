import type { Hunk } from '@saga-ai/types/run/event';

const LOOKS: Record<string, string> = {
  '+': 'bg-done-wash text-done',
  '-': 'bg-needs-you-wash text-needs-you',
};
const MOST_LINES = 400;

export function HunkView({ hunks }: { hunks: readonly Hunk[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a region only because it scrolls
    <div
      role="region"
      aria-label="Changes"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-md border border-line bg-panel font-mono text-xs leading-5"
    >
      {hunks.map((hunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a diff does not change
        <div key={index} className="min-w-max border-b border-line last:border-b-0">
          {numberLines(hunk).map(({ key, oldLine, newLine, text }) => (
            <div key={key} className={`flex ${LOOKS[text[0] ?? ''] ?? 'text-soft'}`}>
              <LineNumber n={oldLine} />
              <LineNumber n={newLine} />
              <span className="whitespace-pre px-2">{text}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Line numbers are attributes, not text, so that they are not copied. */
function LineNumber({ n }: { n: number | undefined }) {
  return (
    <span
      aria-hidden="true"
      data-n={n}
      className="w-9 shrink-0 select-none pr-1.5 text-right text-faint before:content-[attr(data-n)]"
    />
  );
}

function numberLines({ oldStart, newStart, lines }: Hunk) {
  let before = oldStart;
  let after = newStart;
  return lines.slice(0, MOST_LINES).map((text, key) => {
    const oldLine = text.startsWith('+') ? undefined : before++;
    const newLine = text.startsWith('-') ? undefined : after++;
    return { key, oldLine, newLine, text };
  });
}
