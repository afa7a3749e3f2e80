import { formatDuration } from '@saga-ai/types/words/amounts';
import { countLines, findHunks } from './find-hunks.ts';
import { HunkView } from './hunk-view.tsx';
import type { ToolEntry, ToolResult } from './log-entry.ts';

interface ToolRowProps {
  entry: ToolEntry;
  result: ToolResult | undefined;
  isOpen: boolean;
  isLive: boolean;
  toggle: () => void;
}

const LONGEST = 40_000;

/** A tool call as one line. Opened, it shows the arguments and the result. */
export function ToolRow({ entry, result, isOpen, isLive, toggle }: ToolRowProps) {
  const { call } = entry;
  const hunks = findHunks(call, result);
  const { added, removed } = countLines(hunks);
  const isBookkeeping = call.kind === 'tasks';
  const took = result ? Date.parse(result.time) - Date.parse(entry.time) : 0;
  return (
    <div className={`min-w-0 grow ${call.isNested ? 'pl-5' : ''}`}>
      <button
        type="button"
        data-row
        aria-expanded={isOpen}
        onClick={toggle}
        className="row flex w-full items-baseline gap-2 rounded px-1.5 py-0.5 text-left"
      >
        <span
          aria-hidden="true"
          className={`w-3 shrink-0 text-xs text-faint transition-transform ${isOpen ? 'rotate-90' : ''}`}
        >
          ›
        </span>
        <span className={`shrink-0 font-medium ${isBookkeeping ? 'text-faint' : ''}`}>
          {call.name}
        </span>
        <span
          className={`min-w-0 truncate font-mono text-xs ${isBookkeeping ? 'text-faint' : 'text-soft'}`}
        >
          {call.summary}
        </span>
        <span className="ml-auto flex shrink-0 gap-2 text-xs">
          {hunks.length > 0 ? (
            <span>
              <span className="text-done">+{added}</span>{' '}
              <span className="text-needs-you">−{removed}</span>
            </span>
          ) : null}
          {result?.isError ? <span className="text-needs-you">✗ failed</span> : null}
          {result ? null : isLive ? (
            <span className="text-running">● …</span>
          ) : (
            <span className="text-faint">no result</span>
          )}
          {took >= 1000 ? <span className="text-faint">{formatDuration(took)}</span> : null}
        </span>
      </button>
      {isOpen ? (
        <div className="mb-2 ml-5 mt-1 grid grid-cols-[minmax(0,1fr)] gap-2">
          {hunks.length > 0 ? (
            <HunkView hunks={hunks} />
          ) : (
            <Block label="Input" text={formatInput(call)} />
          )}
          {result && (hunks.length === 0 || result.isError) ? (
            <Block label="Result" text={result.text} isError={result.isError} />
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function Block({
  label,
  text,
  isError = false,
}: {
  label: string;
  text: string;
  isError?: boolean;
}) {
  if (text === '') return null;
  const shown =
    text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length} characters` : text;
  return (
    <div>
      <p className="text-xs text-faint">{label}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
        tabIndex={0}
        className={`max-h-96 overflow-auto rounded-md border border-line bg-panel px-2.5 py-1.5 font-mono text-xs whitespace-pre-wrap wrap-anywhere ${isError ? 'text-needs-you' : ''}`}
      >
        {shown}
      </pre>
    </div>
  );
}

function formatInput({ path, command, input }: ToolEntry['call']): string {
  const rest = { ...(path === undefined ? {} : { path }), ...input };
  const lines = [
    ...(command === undefined ? [] : [`$ ${command}`]),
    ...(Object.keys(rest).length === 0 ? [] : [JSON.stringify(rest, null, 2)]),
  ];
  return lines.join('\n');
}
