import { type KeyboardEvent, type RefObject, useMemo } from 'react';

interface MarkdownEditorProps {
  label: string;
  text: string;
  field: RefObject<HTMLTextAreaElement | null>;
  onChange: (text: string) => void;
  /** The numbers of lines with a problem, and of lines with advice. */
  wrong: ReadonlySet<number>;
  advised: ReadonlySet<number>;
  /** Called for Ctrl-Enter. */
  send: () => void;
}

/** The most lines that get numbers. For a longer text, the second copy with numbers would make typing slow. */
const MOST_LINES = 3000;
const MOST_CHARACTERS = 300_000;

/**
 * A text with the numbers of its lines. Behind the field is an unseen copy of the text, broken into the same rows.
 * It gives the field its height, and shows the numbers and the marks of lines.
 */
export function MarkdownEditor(props: MarkdownEditorProps) {
  const { label, text, field, onChange, wrong, advised, send } = props;
  const lines = useMemo(() => text.split('\n'), [text]);
  const isLong = lines.length > MOST_LINES || text.length > MOST_CHARACTERS;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
  };
  return (
    <div className="plan-text control" data-long={isLong || undefined}>
      {isLong ? null : (
        <div aria-hidden="true" className="plan-text-lines">
          {lines.map((line, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
              key={index}
              data-mark={
                wrong.has(index + 1) ? 'wrong' : advised.has(index + 1) ? 'advised' : undefined
              }
            >
              {line === '' ? '\u200b' : line}
            </div>
          ))}
        </div>
      )}
      <textarea
        ref={field}
        aria-label={label}
        aria-invalid={wrong.size > 0}
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** Puts the cursor into a line of a field, and selects the line. */
export function selectLine(field: HTMLTextAreaElement | null, line: number): void {
  if (!field) return;
  const lines = field.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0);
  field.focus({ preventScroll: true });
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  const row = field.parentElement?.querySelectorAll('.plan-text-lines > div')[line - 1];
  row?.scrollIntoView({ block: 'center' });
}
